import { readError } from '../errors/read-error.ts';
import { wait } from './attempt-signal.ts';
import { type CallOptions, callOf, type Reply } from './call.ts';
import type { Connection } from './create-connection.ts';
import { pathOf } from './paths.ts';

/** A request that the server continues in the background. */
export interface BackgroundRun {
  readonly id: string;
  readonly status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  /** How far it is. */
  readonly progress?: { readonly done: number; readonly of: number };
}

const INTERVAL_MS = 1000;

/** How a run is followed. */
export interface FollowRunOptions extends CallOptions {
  /** Called with each of its states. */
  readonly onRun?: ((run: BackgroundRun) => void) | undefined;
}

/**
 * The result of a run that another page or process has started (`GET /service-runs`).
 *
 * @throws RestError of a run that failed or was cancelled
 */
export const followRun = (
  { connection }: { readonly connection: Connection },
  run: BackgroundRun,
  options?: FollowRunOptions,
): Promise<unknown> => resultOf(connection, { status: 202, headers: new Headers(), body: run }, options);

/**
 * The body of a response, or the result of the run that continues its request.
 *
 * @throws RestError of a run that failed or was cancelled
 */
export async function resultOf(
  connection: Connection,
  { status, headers, body }: Reply,
  { signal, timeoutMs, onRun }: FollowRunOptions = {},
): Promise<unknown> {
  if (status !== 202) return body;
  type Run = BackgroundRun & { readonly result?: unknown; readonly error?: { readonly status: number } };
  let run = body as Run;
  const path = pathOf(`${connection.paths.base}/service-runs`, run.id);
  for (;;) {
    onRun?.(run);
    if (run.status !== 'QUEUED' && run.status !== 'RUNNING') break;
    await wait(INTERVAL_MS, signal);
    const call = { method: 'GET', path, repeatable: true, ...callOf({ signal, timeoutMs }) };
    run = (await connection.read(call)).body as Run;
  }
  if (run.status === 'SUCCEEDED') return run.result;
  const error = run.error ?? { status: 409, error: 'The run was cancelled' };
  throw readError({ status: error.status, headers }, JSON.stringify(error));
}
