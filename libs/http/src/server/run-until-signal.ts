import { applyHeapOptions, collectWhenIdle, type Logger, watchEventLoop } from '@lintel/telemetry';
import { endOnFailure } from './end-on-failure.ts';
import { DEFAULT_DRAIN_MS } from './listen.ts';

export interface RunUntilSignalOptions {
  readonly logger: Logger;
  /** Closes servers first, then what they use; each step waits for the previous one. */
  readonly close: () => Promise<void>;
  /** Maximum times of the servers (`ListenOptions`). */
  readonly delayMs?: number;
  readonly drainMs?: number;
}

/** Maximum time for closing the resources after the servers; then the process ends in any case. */
const CLOSING_MS = 8_000;
/** One Ctrl-C, or one `kill` of a process group, may arrive several times: from the terminal and from parents. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Closes in order on SIGTERM or SIGINT and lets the process end by itself; a further signal
 * after a second ends it at once. An error that nothing has caught closes in the same order and ends the process with
 * code 1, and each time that the event loop is blocked for more than a second is logged. An idle process
 * collects its garbage. For `main.ts`.
 */
export function runUntilSignal(options: RunUntilSignalOptions): void {
  const { logger, delayMs = 0, drainMs = DEFAULT_DRAIN_MS } = options;
  let closingSince: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (closingSince !== undefined) {
      if (performance.now() - closingSince > SAME_SIGNAL_MS) process.exit(130);
      return;
    }
    closingSince = performance.now();
    logger.info({ signal }, 'stopping');
    const deadline = setTimeout(
      () => {
        logger.error({}, 'stopping took too long');
        process.exit(1);
      },
      delayMs + drainMs + CLOSING_MS,
    );
    deadline.unref();
    closeOnce()
      .then(() => logger.info({}, 'stopped'))
      .catch((error: unknown) => {
        logger.error({ error }, 'stopping failed');
        process.exitCode = 1;
      });
  };
  let closed: Promise<void> | undefined;
  const closeOnce = (): Promise<void> => (closed ??= options.close());
  endOnFailure({ logger, close: closeOnce });
  watchEventLoop((block) => logger.warn(block, 'the event loop was blocked'));
  collectWhenIdle();
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  applyHeapOptions();
}
