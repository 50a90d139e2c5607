import { wait } from '../connection/attempt-signal.ts';
import { type CallOptions, callOf } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';
import { pathOf, REPORTS_PATH } from '../connection/paths.ts';
import { RestError } from '../errors/rest-error.ts';
import type { Download } from '../files/download.ts';
import { type DownloadOptions, downloadFile } from '../files/download-file.ts';

/** The state of a run in the background. */
export interface ReportRunState {
  /** `SUCCEEDED`, `FAILED` and `CANCELLED` do not change any more. */
  readonly status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  /** `rows` were read of the data sets. */
  readonly progress?: { readonly phase: 'PARAMETERS' | 'DATA' | 'DOCUMENT'; readonly rows: number };
  /** When the run was requested, as an ISO time. */
  readonly createdAt: string;
  /** When a worker began; absent while the run is queued. */
  readonly startedAt?: string;
  /** When the run ended. */
  readonly finishedAt?: string;
  /** The document, which is stored as a file of the caller; `result()` reads it. */
  readonly result?: {
    readonly fileRef: string;
    readonly name: string;
    readonly contentType: string;
    readonly size: number;
  };
  /** The response that the same run would have got without the background. */
  readonly error?: { readonly status: number; readonly error: string; readonly details: string };
}

/** How a run is watched. */
export interface WatchOptions extends CallOptions {
  /** The time between two requests; 1 s by default. */
  readonly intervalMs?: number | undefined;
}

/** A run in the background. */
export interface ReportRun {
  /** With it, `runOf` finds the run again, also in another process. */
  readonly id: string;
  /** The state of the run now. */
  state(options?: CallOptions): Promise<ReportRunState>;
  /** The state of the run whenever it has changed, until the run has ended. */
  states(options?: WatchOptions): AsyncIterableIterator<ReportRunState>;
  /** Waits for the end, and reads the document. Rejects with a `RestError` if the run has failed or was cancelled. */
  result(options?: WatchOptions & DownloadOptions): Promise<Download>;
  /** Ends the run. Rejects with a `ConflictError` if it has ended before. */
  cancel(options?: CallOptions): Promise<void>;
}

const INTERVAL_MS = 1000;

/** The run with an id. */
export function createReportRun(connection: Connection, id: string): ReportRun {
  const path = pathOf(`${REPORTS_PATH}/runs`, id);
  const send = async (method: string, options?: CallOptions): Promise<unknown> =>
    (await connection.read({ method, path, repeatable: true, ...callOf(options) })).body;
  const state = (options?: CallOptions): Promise<ReportRunState> => send('GET', options) as Promise<ReportRunState>;

  async function* states({ intervalMs = INTERVAL_MS, ...options }: WatchOptions = {}): AsyncGenerator<ReportRunState> {
    let before = '';
    for (;;) {
      const now = await state(options);
      const text = JSON.stringify(now);
      if (text !== before) yield now;
      if (now.status !== 'QUEUED' && now.status !== 'RUNNING') return;
      before = text;
      await wait(intervalMs, options.signal);
    }
  }

  return {
    id,
    state,
    states,
    async result(options = {}) {
      let last: ReportRunState | undefined;
      for await (const now of states(options)) last = now;
      if (last?.result !== undefined) return downloadFile(connection, last.result.fileRef, options);
      const { status, error, details } = last?.error ?? { status: 409, error: 'Report run cancelled', details: '' };
      const code = last?.error === undefined ? 'REPORT_RUN_CANCELLED' : 'REPORT_RUN_FAILED';
      throw new RestError({ status, code, error, details, body: last, traceId: undefined, retryAfterMs: undefined });
    },
    cancel: async (options) => {
      await send('DELETE', options);
    },
  };
}
