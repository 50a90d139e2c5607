import { type CallerKey, callerKeyOf, type Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { sendJson } from '@lintel/http';
import type { Request, Response, Router } from 'express';
import { assertReadable, type Caller } from '../definitions/find-report.ts';
import type { BackgroundRun } from '../runs/background-run.ts';
import { runInfo } from '../runs/preparation/run-info.ts';
import type { RunStore } from './create-run-store.ts';
import type { RunQueue } from './run-queue.ts';

export interface BackgroundRoutePorts {
  readonly store: Pick<RunStore, 'find' | 'list' | 'cancel'>;
  readonly queue: Pick<RunQueue, 'announceCancelled'>;
  readonly callerOf: (
    response: Response,
  ) => Pick<Caller, 'access'> & { readonly principal: Pick<Principal, 'kind' | 'username'> };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MAX_LISTED = 50;
const RETRY_AFTER_SECONDS = '1';

/**
 * `GET /runs`, and `GET` and `DELETE /runs/:id`: runs in the background. Callers see only their own runs, and need the right to read
 * reports, as for running them.
 */
export function registerBackgroundRoutes(router: Router, { store, queue, callerOf }: BackgroundRoutePorts): void {
  const callerKey = (response: Response): CallerKey => {
    const caller = callerOf(response);
    assertReadable('report_Report', caller);
    return callerKeyOf(caller.principal);
  };
  router.get('/runs', async (_request, response) => {
    const runs = await store.list(callerKey(response), MAX_LISTED);
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 200, runs.map(runInfo));
  });
  router.get('/runs/:id', async (request: Request<{ id: string }>, response) => {
    const caller = callerKey(response);
    const id = parseId(request.params.id);
    const run = await store.find(id, caller);
    if (run === undefined) throw unknownRun(id);
    if (!hasEnded(run)) response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 200, runInfo(run));
  });
  router.delete('/runs/:id', async (request: Request<{ id: string }>, response) => {
    const caller = callerKey(response);
    const id = parseId(request.params.id);
    const found = await store.cancel(id, caller);
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
