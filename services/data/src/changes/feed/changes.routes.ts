import { once } from 'node:events';
import { callerKeyOf, type Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { contextOf, cutResponse, pathParameter, singleValue, whenClosing } from '@lintel/http';
import { assertReadable, resolveEntity } from '@lintel/query';
import type { Request, Response, Router } from 'express';
import { conditionOf } from './condition-of.ts';
import type { ChangeFeed } from './create-change-feed.ts';
import { createEventIdCodec, LAST_EVENT_ID } from './event-id.ts';
import { followChanges } from './follow-changes.ts';
import { followOwnEvents } from './follow-own-events.ts';

/** A client that does not read for this time is disconnected; it resumes with the last event id. */
const LONGEST_STALL_MS = 60_000;

/** Spreads the reconnections of clients that were disconnected together. */
const FIRST_RETRY_MS = 2_000;
const RETRY_SPREAD_MS = 3_000;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Proxies must not cache, change or buffer the response.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** A client that cannot set headers sends the id in the URL, until it has reconnected itself. */
function lastEventIdOf({ headers, query }: Request): string {
  const header = headers[LAST_EVENT_ID.toLowerCase()];
  return typeof header === 'string' && header !== '' ? header : (singleValue(query, 'lastEventId') ?? '');
}

/**
 * `GET /changes/:entityName`: the changes of an entity, or the events of a type of the application, as server-sent events
 * without an end.
 */
export function registerChangeRoutes(router: Router, options: ChangeFeed): void {
  let opened = 0;
  router.get(`${options.path}/:entityName`, async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const name = pathParameter(request, 'entityName');
    const follow = followerOf(name, request, principal, options);
    const eventIds = createEventIdCodec(options.cursors, name);
    const sent = lastEventIdOf(request);
    const after = sent === '' ? undefined : eventIds.decode(sent);
    if (request.method === 'HEAD') {
      response.writeHead(200, HEADERS).end();
      return;
    }
    const leave = options.limiter.acquire(callerKeyOf(principal));
    opened += 1;
    const retryMs = FIRST_RETRY_MS + ((opened * 617) % RETRY_SPREAD_MS);
    try {
      await untilClosing(request, signal, (ending) =>
        follow({ after, retryMs, encodeEventId: eventIds.encode }, (text) => send(response, text, ending), ending),
      );
      // The feed may end before the first text is sent.
      if (!response.headersSent) response.writeHead(200, HEADERS);
      response.end();
    } catch (error) {
      if (!response.headersSent) throw error;
      // The client reconnects and resumes; if the error persists, that response reports it.
      if (!signal.aborted) options.logger.info({ err: error, cut: true }, 'a feed of changes was cut off');
      cutResponse(response);
    } finally {
      leave();
    }
  });
}

/** Sends what is followed, until the signal is aborted. */
type Follower = (
  position: {
    readonly after: number | undefined;
    readonly retryMs: number;
    readonly encodeEventId: (sequence: number) => string;
  },
  send: (text: string) => Promise<void>,
  signal: AbortSignal,
) => Promise<void>;

/** @throws PlatformError for what the caller may not follow, and for a condition that is not possible */
function followerOf(name: string, request: Request, principal: Principal, options: ChangeFeed): Follower {
  const became = singleValue(request.query, 'became');
  const tail = options.ownTail(name, principal);
  if (tail !== undefined) {
    if (became !== undefined) throw new PlatformError('REQ_INVALID_PARAMETER', 'became: events have no new values');
    const mayReceive = async () => {
      const caller = await options.currentCaller(principal);
      return caller !== undefined && options.ownTail(name, caller) !== undefined;
    };
    return ({ encodeEventId, ...position }, ...rest) =>
      followOwnEvents({ type: name, ...position }, { ...options, tail, mayReceive, encodeEventId }, ...rest);
  }
  const model = options.currentModel();
  const entity = resolveEntity(model, name);
  const { read } = options.loadAccess(principal);
  assertReadable(entity, read);
  const condition = became === undefined ? undefined : conditionOf(became, entity, model, read, options);
  const loadAccess = async () => {
    const caller = await options.currentCaller(principal);
    return caller && options.loadAccess(caller);
  };
  return ({ encodeEventId, ...position }, ...rest) =>
    followChanges(
      { entity, became: condition, username: principal.username, ...position },
      { ...options, model, loadAccess, encodeEventId },
      ...rest,
    );
}

/** Runs the work until the client disconnects or the server closes. */
async function untilClosing(
  request: Request,
  signal: AbortSignal,
  work: (ending: AbortSignal) => Promise<void>,
): Promise<void> {
  const closing = new AbortController();
  const forget = whenClosing(request.app, () => closing.abort());
  try {
    await work(AbortSignal.any([signal, closing.signal]));
  } catch (error) {
    if (!closing.signal.aborted) throw error;
  } finally {
    forget();
  }
}

/** Sends the headers with the first text. */
async function send(response: Response, text: string, ending: AbortSignal): Promise<void> {
  if (!response.headersSent) response.writeHead(200, HEADERS);
  if (response.write(text)) return;
  await once(response, 'drain', { signal: AbortSignal.any([ending, AbortSignal.timeout(LONGEST_STALL_MS)]) });
}
