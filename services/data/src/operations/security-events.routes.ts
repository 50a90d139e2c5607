import {
  INTEGERS,
  type SecurityEventsRequest,
  type SecurityEventsResponse,
  securityEventsResponseSchema,
} from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { sendJson } from '@lintel/http';
import { SECURITY_EVENTS } from '@lintel/telemetry';
import type { Request, Router } from 'express';
import type { Engine } from '../feature.ts';
import { momentOf } from '../receiving/receive-moment.ts';
import { numberOf } from '../receiving/receive-number.ts';
import { textOf } from '../receiving/receive-user.ts';
import { receiveOperator } from './receive-operator.ts';

const MAX_TYPES_LENGTH = 4_000;

/** Logins and other security events, which auth stores (contract/operations.md#security-events). */
export function registerSecurityEventsRoute(router: Router, { ports, config, accessOf }: Engine): void {
  const path = config.paths.operationsPath;
  const guard = receiveOperator(accessOf);
  router.get(`${path}/security-events`, async (request, response) => {
    guard(request, response, 'security-events.view');
    const { events, hasMore } = securityEventsResponseSchema.parse(
      await ports.authAdministration.call('security-events', receivePage(request)),
    );
    sendJson(response, 200, { events, next: nextOf(events, hasMore) });
  });
}

function receivePage(request: Request): SecurityEventsRequest {
  const types = typesOf(request);
  const username = textOf(request, 'username');
  const clientId = textOf(request, 'clientId');
  const role = textOf(request, 'role');
  const from = momentOf(request, 'from');
  const to = momentOf(request, 'to');
  const after = cursorOf(request);
  if (from !== undefined && to !== undefined && from > to)
    throw new PlatformError('REQ_INVALID_PARAMETER', 'from must not be after to');
  return {
    ...(types === undefined ? {} : { types }),
    ...(username === undefined ? {} : { username }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(role === undefined ? {} : { role }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(after === undefined ? {} : { after }),
    limit: numberOf(request, INTEGERS.securityEvents),
  };
}

function typesOf({ query }: Request): string[] | undefined {
  const value = query['type'];
  if (value === undefined) return undefined;
  const types = typeof value === 'string' && value.length <= MAX_TYPES_LENGTH ? [...new Set(value.split(','))] : [''];
  if (!types.every((type) => Object.hasOwn(SECURITY_EVENTS, type)))
    throw new PlatformError(
      'REQ_INVALID_PARAMETER',
      'type must be names of security events with commas between them, for example login.failed,login.blocked',
    );
  return types;
}

/** The time and the id of the last event of a page. */
const nextOf = (events: SecurityEventsResponse['events'], hasMore: boolean): string | null => {
  const last = events.at(-1);
  return hasMore && last !== undefined ? `${Date.parse(last.at)}-${last.id}` : null;
};

function cursorOf({ query }: Request): SecurityEventsRequest['after'] {
  const value = query['after'];
  if (value === undefined) return undefined;
  const [, ms, id] = (typeof value === 'string' ? /^(\d{1,14})-(\d{1,18})$/.exec(value) : null) ?? [];
  if (ms === undefined || id === undefined)
    throw new PlatformError('REQ_INVALID_PARAMETER', 'after must be the next of an earlier response');
  return { at: new Date(Number(ms)).toISOString(), id };
}
