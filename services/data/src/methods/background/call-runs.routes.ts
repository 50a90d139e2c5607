import type { IncomingMessage, ServerResponse } from 'node:http';
import { callerKeyOf, type Principal } from '@lintel/contracts';
import { CALL_JOB, type IdempotentCall, runIdOf } from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import { applyPreference, contextOf, preferencesOf, sendJson, sendJsonText } from '@lintel/http';
import { readExactJson } from '@lintel/query';
import type { Request, Response, Router } from 'express';
import { exportFormOf } from '../../exports/receive-export.ts';
import { sendRefusals } from '../../exports/send-refusals.ts';
import { refuseBody } from '../../receiving/receive-json.ts';
import type { ReceivedCall } from '../call-method.ts';
import type { CallArguments } from './call-job.ts';
import type { CallRun, CallRunStore } from './call-run-store.ts';

export interface CallRunsOptions {
  /** Path of the router. */
  readonly basePath: string;
  /** Path of the runs below the router. */
  readonly path: string;
  readonly store: CallRunStore;
  readonly newId: () => string;
  readonly wake: () => void;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Runs of one user that have not ended, then 429, as for reports. */
const MAX_PER_USER = 20;
/** As for reports. */
const MAX_LISTED = 50;
const RETRY_AFTER_SECONDS = '1';

/**
 * `GET /service-runs`, `GET` and `DELETE /service-runs/:runId` (contract/services.md#long-running): callers see their own
 * runs alone.
 */
export function registerCallRunsRoutes(router: Router, { path, store }: CallRunsOptions): void {
  const idOf = ({ params }: Request): string => {
    const id = String(params['runId']);
    if (!UUID.test(id)) throw unknown();
    return id;
  };
  const callerOf = (request: Request, response: Response) => callerKeyOf(contextOf(request, response).principal);
  router.get(path, async (request, response) => {
    const runs = await store.list(callerOf(request, response), MAX_LISTED);
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 200, runs);
  });
  router.get(`${path}/:runId`, async (request, response) => {
    const found = await store.find(idOf(request), callerOf(request, response));
    if (found === undefined) throw unknown();
    const { run, result } = found;
    const { format } = exportFormOf(request) ?? {};
    if (format !== undefined) {
      const report = run.service === 'imports' ? (result ?? JSON.stringify(run.error ?? null)) : 'null';
      return sendRefusals(response, readExactJson(report), format);
    }
    if (!hasEnded(run)) response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
    response.setHeader('Cache-Control', 'no-store');
    // Numbers of the result are exact, so its text is not parsed.
    const json = JSON.stringify(run);
    sendJsonText(response, result === undefined ? json : `${json.slice(0, -1)},"result":${result}}`);
  });
  router.delete(`${path}/:runId`, async (request, response) => {
    await refuseBody(request, 'the path has all that is needed');
    const [id, caller] = [idOf(request), callerOf(request, response)];
    if (!(await store.cancel(id, caller))) {
      if ((await store.find(id, caller)) === undefined) throw unknown();
      throw new PlatformError('JOB_RUN_STATE', 'The run has ended');
    }
    response.status(204).end();
  });
}

const hasEnded = ({ status }: CallRun): boolean => status !== 'QUEUED' && status !== 'RUNNING';

const unknown = (): PlatformError => new PlatformError('REQ_NOT_FOUND', 'There is no such run');

/** Whether calls may continue without their client: a user who sees as another one, and clients, wait for them. */
export const mayContinue = ({ kind, seenBy }: Principal): boolean => kind === 'user' && seenBy === undefined;

export const prefersBackground = (request: IncomingMessage, principal: Principal): boolean =>
  mayContinue(principal) && preferencesOf(request.headers['prefer']).has('respond-async');

/** A call that continues without its client; one with an idempotency key has one run. */
interface BackgroundCall extends ReceivedCall, Pick<CallArguments, 'undo' | 'import' | 'export'> {
  readonly idempotentCall?: IdempotentCall | undefined;
}

/**
 * Queues a call, and sends the location of its run (RFC 7240 §4.1).
 *
 * @throws PlatformError REQ_TOO_MANY_REQUESTS, REQ_IDEMPOTENCY_KEY_REUSED
 */
export async function acceptCall(
  response: ServerResponse,
  { supplied, idempotentCall, ...call }: BackgroundCall,
  principal: Principal,
  { basePath, path, store, newId, wake }: CallRunsOptions,
): Promise<void> {
  const caller = callerKeyOf(principal);
  const { username, userId, clientId, resourceRoles, rowLevelRoles, sessionAttributes, locale } = principal;
  const id = idempotentCall === undefined ? newId() : runIdOf(CALL_JOB.name, `${caller} ${idempotentCall.key}`);
  const run = {
    caller,
    username,
    userId,
    clientId,
    resourceRoles,
    rowLevelRoles,
    ...(sessionAttributes !== undefined && { sessionAttributes }),
    locale,
    ...call,
    supplied: JSON.stringify(supplied),
    ...(idempotentCall !== undefined && { requestHash: idempotentCall.requestHash }),
  };
  const known = idempotentCall && (await store.find(id, caller));
  if (known === undefined && !(await store.add(id, run, MAX_PER_USER)))
    throw new PlatformError(
      'REQ_TOO_MANY_REQUESTS',
      `You have ${MAX_PER_USER} calls that have not ended; wait for one of them or cancel it`,
    );
  wake();
  const found = known ?? (await store.find(id, caller));
  if (found === undefined) throw new Error(`The run ${id} is gone`);
  if (idempotentCall !== undefined && found.hash !== idempotentCall.requestHash)
    throw new PlatformError('REQ_IDEMPOTENCY_KEY_REUSED', 'The Idempotency-Key was used for another request');
  if (known !== undefined) response.setHeader('Idempotency-Replayed', 'true');
  response.setHeader('Location', `${basePath}${path}/${id}`);
  applyPreference(response, 'respond-async');
  response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
  response.setHeader('Cache-Control', 'no-store');
  sendJson(response, 202, found.run);
}
