import { type Logger, suspectedWork } from '@lintel/telemetry';

export interface EndOnFailureOptions {
  readonly logger: Logger;
  /** Closes as a signal does; ended after `ENDING_MS`. */
  readonly close: () => Promise<void>;
}

/** Maximum time for work in flight to end. */
export const ENDING_MS = 5_000;
/** Time for the log to flush: it buffers lines for a tenth of a second. */
const LAST_LINES_MS = 200;

/**
 * Handles uncaught errors and unhandled rejections. The error is logged with the requests in flight. Since the state of
 * the process is unknown then, it closes as on a signal, within five seconds, and ends with code 1, so that its
 * supervisor starts it again. It never continues silently.
 *
 * @returns a function that removes the handler
 */
export function endOnFailure({ logger, close }: EndOnFailureOptions): () => void {
  let isEnding = false;
  const onFailure = (error: unknown, origin: string): void => {
    const nowMs = performance.now();
    // Logged within the trace of the request, if there is one, so that the line has its id.
    logger.error({ error, origin, requests: suspectedWork(nowMs, nowMs) }, 'an error that nothing has caught');
    if (isEnding) return;
    isEnding = true;
    process.exitCode = 1;
    const end = (): void => void setTimeout(() => process.exit(1), LAST_LINES_MS);
    setTimeout(() => {
      logger.error({}, 'the process did not close in time');
      end();
    }, ENDING_MS);
    close().then(end, (failure: unknown) => {
      logger.error({ error: failure }, 'closing failed');
      end();
    });
  };
  // Node throws an unhandled rejection that has no handler of its own: it arrives here, too.
  process.on('uncaughtException', onFailure);
  return () => process.off('uncaughtException', onFailure);
}
