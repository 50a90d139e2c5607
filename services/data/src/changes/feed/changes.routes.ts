import { once } from 'node:events';
import { contextOf, whenClosing } from '@lintel/http';
import { assertReadable, resolveEntity } from '@lintel/query';
import type { Request, Response, Router } from 'express';
import { parameter } from '../../entities/receive-read.ts';
import type { ChangeFeed } from './create-change-feed.ts';
import { followChanges } from './follow-changes.ts';
import { LAST_EVENT_ID, sealedPlaces } from './resume-place.ts';

/** A client that takes nothing for so long is cut off; it resumes where it was. */
const LONGEST_STALL_MS = 60_000;

/** Clients that are cut off together do not come again together. */
const FIRST_RETRY_MS = 2_000;
const RETRY_SPREAD_MS = 3_000;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Nobody on the way may keep it, change it or hold it back.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** `GET /changes/:entityName`: the changes of an entity as server-sent events, without an end. */
export function registerChangeRoutes(router: Router, options: ChangeFeed): void {
  let opened = 0;
  router.get(`${options.path}/:entityName`, async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const model = options.currentModel();
    const entity = resolveEntity(model, parameter(request, 'entityName'));
    assertReadable(entity, options.loadAccess(principal).read);
    const sealed = sealedPlaces(options.cursors, entity.name);
    const sent = request.headers[LAST_EVENT_ID.toLowerCase()];
    const after = typeof sent === 'string' && sent !== '' ? sealed.open(sent) : undefined;
    if (request.method === 'HEAD') {
      response.writeHead(200, HEADERS).end();
      return;
    }
    const leave = options.places.take(principal.username);
    opened += 1;
    const retryMs = FIRST_RETRY_MS + ((opened * 617) % RETRY_SPREAD_MS);
    const loadAccess = async () => {
      const caller = await options.currentCaller(principal);
      return caller && options.loadAccess(caller);
    };
    try {
      const deps = { ...options, model, loadAccess, sealPlace: sealed.seal };
      await untilClosing(request, signal, (ending) =>
        followChanges({ entity, after, retryMs }, deps, (text) => send(response, text, ending), ending),
      );
      // It may close before the first word.
      if (!response.headersSent) response.writeHead(200, HEADERS);
      response.end();
    } catch (error) {
      if (!response.headersSent) throw error;
      // The client resumes where it was, and is told what is wrong if it still is.
      if (!signal.aborted) options.logger.info({ err: error }, 'a feed of changes was cut off');
      response.destroy();
    } finally {
      leave();
    }
  });
}

/** Does the work until the client leaves or the server closes, whichever is first. */
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

/** Begins the answer with its first text. */
async function send(response: Response, text: string, ending: AbortSignal): Promise<void> {
  if (!response.headersSent) response.writeHead(200, HEADERS);
  if (response.write(text)) return;
  await once(response, 'drain', { signal: AbortSignal.any([ending, AbortSignal.timeout(LONGEST_STALL_MS)]) });
}
