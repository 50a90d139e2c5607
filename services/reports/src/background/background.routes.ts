import { PlatformError } from '@lintel/errors';
import { sendJson } from '@lintel/http';
import type { Request, Response, Router } from 'express';
import type { BackgroundRun } from './background-run.ts';
import type { RunStore } from './create-run-store.ts';
import { runInfo } from './run-info.ts';
import type { RunQueue } from './run-queue.ts';

export interface BackgroundRoutePorts {
  readonly store: Pick<RunStore, 'find' | 'cancel'>;
  readonly queue: Pick<RunQueue, 'announceCancelled'>;
  /** Name of the caller. */
  readonly usernameOf: (response: Response) => string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ASK_AGAIN_SECONDS = '1';

/** `GET` and `DELETE /runs/:id`: runs that go on without their client. Each user has runs of one's own alone. */
export function registerBackgroundRoutes(router: Router, { store, queue, usernameOf }: BackgroundRoutePorts): void {
  router.get('/runs/:id', async (request: Request<{ id: string }>, response) => {
    const id = parseId(request.params.id);
    const run = await store.find(id, usernameOf(response));
    if (run === undefined) throw unknownRun(id);
    if (!hasEnded(run)) response.setHeader('Retry-After', ASK_AGAIN_SECONDS);
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 200, runInfo(run));
  });
  router.delete('/runs/:id', async (request: Request<{ id: string }>, response) => {
    const id = parseId(request.params.id);
    const found = await store.cancel(id, usernameOf(response));
    if (found === 'unknown') throw unknownRun(id);
    if (found === 'finished')
      throw new PlatformError('REPORT_RUN_ENDED', `Report run ${id} has ended and cannot be cancelled`);
    await queue.announceCancelled(id);
    response.status(204).end();
  });
}

const hasEnded = ({ status }: BackgroundRun): boolean => status !== 'QUEUED' && status !== 'RUNNING';

function parseId(id: string): string {
  if (!UUID.test(id)) throw new PlatformError('REPORT_RUN_NOT_FOUND', `Report run ${id} not found`);
  return id.toLowerCase();
}

const unknownRun = (id: string): PlatformError =>
  new PlatformError('REPORT_RUN_NOT_FOUND', `Report run ${id} not found`);
