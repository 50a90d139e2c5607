import { type Logger, suspectedWork } from '@lintel/telemetry';

export interface EndOnFailureOptions {
  readonly logger: Logger;
  /** Closes as a signal does; cut after `ENDING_MS`. */
  readonly close: () => Promise<void>;
}

/** What is under way gets this long to end. */
export const ENDING_MS = 5_000;
/** The log writes together what is written within a tenth of a second. */
const LAST_LINES_MS = 200;

/**
 * The last line of defence: an error that nothing has caught, thrown or of a promise. It is logged with the requests
 * that were under way. The state of the process is unknown then, so it closes as on a signal, for five seconds at the
 * most, and ends with code 1: who supervises it starts another one. It never continues silently.
 *
 * @returns a function that stops to listen
 */
export function endOnFailure({ logger, close }: EndOnFailureOptions): () => void {
  let isEnding = false;
  const onFailure = (error: unknown, origin: string): void => {
    const nowMs = performance.now();
    // Within the trace of the request, if there is one: its id is on the line.
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
  // Without a handler of its own an unhandled rejection is thrown, and arrives here as well.
  process.on('uncaughtException', onFailure);
  return () => process.off('uncaughtException', onFailure);
}
