import { HISTORY_PATH, type Principal } from '@lintel/contracts';
import {
  currentWriteDependencies,
  type UndoRequest,
  undoChange,
  type WriteDependencies,
  type WriteResponse,
} from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import { isLarge, MAX_UNDONE_LATER, MAX_UNDONE_ROWS } from '@lintel/history';
import { applyPreference, contextOf, handlingFor, isRehearsal, publicUrlOf, sendJsonText } from '@lintel/http';
import { currentChangeReason, currentTrace, runInTrace, traceOfRequest } from '@lintel/telemetry';
import type { Router } from 'express';
import { z } from 'zod';
import { failureOfError, RunFailure } from '../access/run-failure.ts';
import { errorOfCode } from '../controllers/response-of-error.ts';
import { idempotentCallOf } from '../entities/receive-write.ts';
import type { UndoInBackground } from '../methods/background/call-job.ts';
import { acceptCall, type CallRunsOptions, prefersBackground } from '../methods/background/call-runs.routes.ts';
import { refuseBody } from '../receiving/receive-json.ts';
import { type HistoryOptions, listedEntities, receiveEntities } from './history.routes.ts';

export interface UndoOptions extends HistoryOptions {
  readonly write: WriteDependencies;
  readonly runs: CallRunsOptions;
}

/** The name that the run of an undo has. */
const RUN = { service: 'history', method: 'undo', httpMethod: 'POST', supplied: {} } as const;

/** Instances that the result of a run lists: it is kept with the run. */
const LISTED = 1_000;

/** Takes back everything that a transaction has written (contract/history.md#undo). */
export function registerUndoRoute(router: Router, options: UndoOptions) {
  const { runs } = options;
  router.post(`${HISTORY_PATH}/changes/:change/undo`, async (request, response) => {
    const { entities, reading } = await receiveEntities(request, response, options);
    const change = z.uuid().safeParse(request.params['change']);
    if (!change.success) throw new PlatformError('REQ_INVALID_PARAMETER', 'change must be a UUID');
    await refuseBody(request, 'an undo has no members');
    const { principal, signal } = contextOf(request, response);
    const isRehearsed = isRehearsal(request);
    if (isRehearsed) applyPreference(response, 'tx=rollback');
    const undo = {
      change: change.data,
      url: publicUrlOf(request),
      unknownMembers: handlingFor(request, response, 'name'),
      idempotentCall: idempotentCallOf(request, ''),
    };
    if (!isRehearsed && prefersBackground(request, principal) && (await isLarge(change.data, entities, reading))) {
      const call = { ...RUN, undo: { ...undo, reason: currentChangeReason() } };
      return acceptCall(response, call, principal, runs);
    }
    const own = { ...undo, entities, isRehearsal: isRehearsed, maxRows: MAX_UNDONE_ROWS };
    const result = await undoWith(own, principal, options, signal);
    for (const [name, value] of Object.entries(result.headers)) response.appendHeader(name, value);
    response.statusCode = result.status;
    sendJsonText(response, result.body);
  });
}

async function undoWith(
  undo: UndoRequest,
  principal: Principal,
  { write }: Pick<UndoOptions, 'write'>,
  signal: AbortSignal,
): Promise<WriteResponse> {
  return undoChange(undo, principal, await currentWriteDependencies(write), signal);
}

/** Takes changes back for callers who do not wait; the result of the run has the first instances, and their number. */
export const createUndoInBackground =
  (options: Pick<UndoOptions, 'read' | 'accessOf' | 'write'>): UndoInBackground =>
  async ({ reason, ...undo }, principal, signal) => {
    const trace = {
      ...(currentTrace() ?? traceOfRequest(undefined)),
      ...(reason !== undefined && { changeReason: reason }),
    };
    try {
      const entities = listedEntities(principal, await options.read.modelWithDynamicAttributes(), options);
      const own = { ...undo, entities, isRehearsal: false, maxRows: MAX_UNDONE_LATER, listed: LISTED };
      return (await runInTrace(trace, () => undoWith(own, principal, options, signal))).body ?? '';
    } catch (error) {
      signal.throwIfAborted();
      throw new RunFailure(failureOfError(errorOfCode(error)), error);
    }
  };
