import { once } from 'node:events';
import { callerKeyOf } from '@lintel/contracts';
import { contextOf, cutResponse, pathParameter, singleValue, whenClosing } from '@lintel/http';
import { assertReadable, resolveEntity } from '@lintel/query';
import type { Request, Response, Router } from 'express';
import type { ChangeFeed } from './create-change-feed.ts';
import { createEventIdCodec, LAST_EVENT_ID } from './event-id.ts';
import { followChanges } from './follow-changes.ts';

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

/** `GET /changes/:entityName`: the changes of an entity as server-sent events, without an end. */
export function registerChangeRoutes(router: Router, options: ChangeFeed): void {
  let opened = 0;
  router.get(`${options.path}/:entityName`, async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const model = options.currentModel();
    const entity = resolveEntity(model, pathParameter(request, 'entityName'));
    assertReadable(entity, options.loadAccess(principal).read);
    const eventIds = createEventIdCodec(options.cursors, entity.name);
    const sent = lastEventIdOf(request);
    const after = sent === '' ? undefined : eventIds.decode(sent);
    if (request.method === 'HEAD') {
      response.writeHead(200, HEADERS).end();
      return;
    }
    const leave = options.limiter.acquire(callerKeyOf(principal));
    opened += 1;
    const retryMs = FIRST_RETRY_MS + ((opened * 617) % RETRY_SPREAD_MS);
    const loadAccess = async () => {
      const caller = await options.currentCaller(principal);
      return caller && options.loadAccess(caller);
    };
    try {
      const deps = { ...options, model, loadAccess, encodeEventId: eventIds.encode };
      await untilClosing(request, signal, (ending) =>
        followChanges(
          { entity, after, retryMs, username: principal.username },
          deps,
          (text) => send(response, text, ending),
          ending,
        ),
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
