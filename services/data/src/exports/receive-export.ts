import type { IncomingMessage } from 'node:http';
import { EXPORT_TYPES } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import {
  acceptedType,
  isUsualAccept,
  type RequestCheck,
  type RoutedRequest,
  requireAcceptable,
  requireJsonAcceptable,
} from '@lintel/http';
import type { ExportFormat } from '@lintel/reading';

const FORMATS = Object.entries(EXPORT_TYPES) as readonly [ExportFormat, string][];
const TYPES = Object.values(EXPORT_TYPES);

/** The form in which the client wants a list; undefined for JSON. */
export function exportFormatOf(request: IncomingMessage): ExportFormat | undefined {
  if (isUsualAccept(request)) return undefined;
  const chosen = acceptedType(request, ['application/json', ...TYPES]);
  return FORMATS.find(([, type]) => type === chosen)?.[0];
}

/** Refuses requests for lists in a form that lists do not have. */
export const requireListAcceptable = requireAcceptable(...TYPES);

/** Checks `Accept` for all routes of the entity API: other results than lists are JSON only. */
export const requireEntitiesAcceptable =
  (entitiesPath: string): RequestCheck =>
  (request, response) => {
    const check = isList(request, entitiesPath) ? requireListAcceptable : requireJsonAcceptable;
    check(request, response);
  };

function isList({ method, path }: RoutedRequest, entitiesPath: string): boolean {
  const [, , search, ...others] = path.slice(entitiesPath.length).split('/');
  if (others.length > 0) return false;
  return search === 'search' || ((search ?? '') === '' && (method === 'GET' || method === 'HEAD'));
}

/**
 * Refuses tables in the names of an earlier version of the model: their headers have the names of the current one.
 *
 * @throws PlatformError REQ_INVALID_PARAMETER
 */
export function assertCurrentNames(exportAs: ExportFormat | undefined, version: unknown): void {
  if (exportAs !== undefined && exportAs !== 'ndjson' && version !== undefined)
    throw new PlatformError('REQ_INVALID_PARAMETER', `'modelVersion' is not available for ${EXPORT_TYPES[exportAs]}`);
}
