import { type FetchLike, RestError, reasonHeader } from '@lintel/client';
import { askReason } from './ask-reason.ts';

/** After the question the time of the first attempt may be over. */
const TIMEOUT_MS = 60_000;
/** The code of the refusal (contract/history.md#reason). */
const MISSING = 'REQ_REASON_REQUIRED';

/** Whether the server has refused a change because it has no reason. */
export const lacksReason = (error: unknown): boolean => error instanceof RestError && error.code === MISSING;

/** Sends a refused request again with a reason, if it has none; returns the refusal where the user gives none. */
export async function sendWithReason(refused: Response, ...[input, init]: Parameters<FetchLike>): Promise<Response> {
  if (refused.headers.get('x-error-code') !== MISSING) return refused;
  // A rehearsal stores nothing: the user is asked before the write itself.
  const isRehearsal = init.headers['prefer']?.includes('tx=rollback') === true;
  const reason = reasonHeader(isRehearsal ? 'rehearsal' : await askReason());
  if (reason === undefined) return refused;
  const headers = { ...init.headers, 'x-change-reason': reason };
  return fetch(input, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
}
