import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { IdempotentRequest, Transaction } from '@lintel/persistence';
import type { Reading } from '../read-back/read-many.ts';
import type { WriteResponse } from '../respond/write-response.ts';
import { Rehearsed, rehearse } from '../run/rehearse.ts';
import { runWrite } from '../run/run-write.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import type { WriteRequest } from '../write-call.ts';
import type { WriteDependencies } from '../write-dependencies.ts';
import type { IdempotentCall } from './idempotent-call.ts';
import { nameUnrecordedReason } from './name-unrecorded-reason.ts';

const RETRY_AFTER_SECONDS = '1';

/**
 * Runs `work` in one transaction, with the version of the model that the request was parsed with. If the request has an
 * idempotency key, the response is stored in the same transaction: a repeated request gets it and changes nothing
 * (docs/contract/writing.md#idempotency). A refused request stores nothing, so the client may use its key again.
 *
 * A rehearsal is rolled back, and stores nothing either.
 *
 * The commit is sent together with the statements that read the response, unless the response must be complete before.
 *
 * @throws PlatformError REQ_IDEMPOTENCY_KEY_REUSED where the key was used for another request, REQ_IN_PROGRESS
 *   while the first one is being executed
 */
export async function withIdempotency(
  {
    idempotentCall: call,
    isRehearsal = false,
    unknownMembers,
  }: Pick<WriteRequest, 'idempotentCall' | 'isRehearsal' | 'unknownMembers'>,
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
  work: (scope: WriteScope) => Promise<Reading<WriteResponse>>,
): Promise<WriteResponse> {
  const request = call === undefined ? undefined : idempotentRequest(principal, call);
  const write = async (scope: WriteScope) => nameUnrecordedReason(await work(scope), scope, unknownMembers);
  const run = async (scope: WriteScope): Promise<Pick<Reading<WriteResponse>, 'result'>> => {
    const known = request === undefined ? undefined : await recall(deps, scope.transaction, request);
    if (isRehearsal)
      throw new Rehearsed(await rehearse(scope, principal, deps, known === undefined ? write : replay(known)));
    if (known !== undefined) return { result: Promise.resolve(known) };
    const { isPlain, result } = await write(scope);
    // If the statement fails, the commit reports it.
    result.catch(() => {});
    if (!isPlain) await result;
    if (request !== undefined) await deps.idempotency.record(scope.transaction, request, await result);
    return { result };
  };
  try {
    const options = { isPipelined: !isRehearsal, model: deps.environment.model };
    const { result } = await runWrite(deps, principal, run, signal, options);
    return result;
  } catch (error) {
    if (error instanceof Rehearsed) return error.response;
    throw error;
  }
}

const replay = (known: WriteResponse) => async () => ({ isPlain: true, result: Promise.resolve(known) });

/** The request of a caller under the key of a call. */
export const idempotentRequest = ({ kind, username }: Principal, call: IdempotentCall): IdempotentRequest => ({
  principal: `${kind} ${username}`,
  ...call,
});

/**
 * The response to the first request under the key; undefined for a new key, which is locked until the transaction ends.
 *
 * @throws PlatformError as `withIdempotency`
 */
export async function recall(
  { idempotency }: Pick<WriteDependencies, 'idempotency'>,
  transaction: Transaction,
  request: IdempotentRequest,
): Promise<WriteResponse | undefined> {
  const recalled = await idempotency.recall(transaction, request);
  switch (recalled.kind) {
    case 'new':
      return undefined;
    case 'completed':
      return { ...recalled.response, headers: { ...recalled.response.headers, 'Idempotency-Replayed': 'true' } };
    case 'different':
      throw new PlatformError(
        'REQ_IDEMPOTENCY_KEY_REUSED',
        'The Idempotency-Key was used for another request; use a new key for each request',
      );
    case 'running':
      throw new PlatformError('REQ_IN_PROGRESS', 'A request with the same Idempotency-Key is being carried out', {
        headers: { 'Retry-After': RETRY_AFTER_SECONDS },
      });
    default:
      return recalled satisfies never;
  }
}
