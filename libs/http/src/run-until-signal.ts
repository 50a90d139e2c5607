import type { Logger } from '@lintel/telemetry';

export interface RunUntilSignalOptions {
  readonly logger: Logger;
  /** Closes servers first, then what they use; each step waits for the one before. */
  readonly close: () => Promise<void>;
  /** After this time the process ends whatever is still open. */
  readonly deadlineMs?: number;
}

const DEFAULT_DEADLINE_MS = 25_000;
/** One Ctrl-C or one `kill` of a group arrives more than once, from the terminal and from parents. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Closes in order on SIGTERM or SIGINT and lets the process end by itself; a further signal
 * after a second ends it at once. For `main.ts`.
 */
export function runUntilSignal(options: RunUntilSignalOptions): void {
  const { logger } = options;
  let closingSince: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (closingSince !== undefined) {
      if (performance.now() - closingSince > SAME_SIGNAL_MS) process.exit(130);
      return;
    }
    closingSince = performance.now();
    logger.info({ signal }, 'stopping');
    const deadline = setTimeout(() => {
      logger.error({}, 'stopping took too long');
      process.exit(1);
    }, options.deadlineMs ?? DEFAULT_DEADLINE_MS);
    deadline.unref();
    options
      .close()
      .then(() => logger.info({}, 'stopped'))
      .catch((error: unknown) => {
        logger.error({ error }, 'stopping failed');
        process.exitCode = 1;
      });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
