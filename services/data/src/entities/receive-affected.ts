import type { ServerResponse } from 'node:http';
import type { Affected } from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import { applyPreference, preferencesOf, type RoutedRequest } from '@lintel/http';
import { queryMembers } from './receive-read.ts';

/** Greatest `max-affected`: all instances are locked until the commit. */
const MAX_AFFECTED = 10_000;

/** Parameters that would choose other instances, or that have no meaning here. */
const OTHERS = ['modelVersion', 'deleted', 'q', 'limit', 'offset', 'cursor', 'sort', 'dynamicAttributes'];

/**
 * The instances that a PATCH or DELETE of the collection is about; undefined for one with an array
 * (contract/writing.md#bulk).
 *
 * @throws PlatformError REQ_INVALID_PARAMETER
 */
export function affectedOf(
  request: RoutedRequest,
  response: ServerResponse,
  patch?: 'merge' | 'operations',
): Affected | undefined {
  const { filter } = queryMembers(request, ['filter']);
  if (filter === undefined) return undefined;
  const [other] = Object.keys(queryMembers(request, OTHERS));
  if (other !== undefined) throw notWithFilter(`The parameter '${other}'`);
  if (request.headers['if-match'] !== undefined) throw notWithFilter('If-Match');
  if (patch === 'operations') throw notWithFilter('A JSON Patch');
  const value = preferencesOf(request.headers['prefer']).get('max-affected') ?? '';
  const maxAffected = /^\d{1,5}$/.test(value) ? Number(value) : 0;
  if (maxAffected < 1 || maxAffected > MAX_AFFECTED)
    throw new PlatformError(
      'REQ_INVALID_PARAMETER',
      `With the parameter 'filter' the header Prefer must have max-affected=<n>, from 1 to ${MAX_AFFECTED}`,
    );
  applyPreference(response, `max-affected=${maxAffected}`);
  return { filter, maxAffected };
}

const notWithFilter = (what: string): PlatformError =>
  new PlatformError('REQ_INVALID_PARAMETER', `${what} cannot be combined with the parameter 'filter'`);

/** @throws PlatformError REQ_INVALID_PARAMETER */
export function assertNoBody(body: string): void {
  if (body.trim() !== '') throw notWithFilter('A body');
}
