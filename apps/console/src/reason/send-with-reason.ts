import { type FetchLike, RestError, reasonHeader } from '@lintel/client';
import { askReason } from './ask-reason.ts';

/** After the question the time of the first attempt may be over. */
const TIMEOUT_MS = 60_000;
/** A part of the refusal (contract/history.md#reason). */
const MISSING = "'X-Change-Reason' is required";

/** Whether the server has refused a change because it has no reason. */
export const lacksReason = (error: unknown): boolean =>
  error instanceof RestError && error.status === 400 && error.details.includes(MISSING);

/** Sends a refused request again with a reason, if it has none; returns the refusal where the user gives none. */
export async function sendWithReason(refused: Response, ...[input, init]: Parameters<FetchLike>): Promise<Response> {
  if (!(await refused.clone().text()).includes(MISSING)) return refused;
  // A rehearsal stores nothing: the user is asked before the write itself.
  const isRehearsal = init.headers['prefer']?.includes('tx=rollback') === true;
  const reason = reasonHeader(isRehearsal ? 'rehearsal' : await askReason());
  if (reason === undefined) return refused;
  const headers = { ...init.headers, 'x-change-reason': reason };
  return fetch(input, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
}
