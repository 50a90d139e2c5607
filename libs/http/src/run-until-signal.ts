import type { Logger } from '@lintel/telemetry';

export interface RunUntilSignalOptions {
  readonly logger: Logger;
  /** Closes servers first, then what they use; each step waits for the one before. */
  readonly close: () => Promise<void>;
  /** After this time the process ends whatever is still open. */
  readonly deadlineMs?: number;
}

const DEFAULT_DEADLINE_MS = 25_000;

/**
 * Closes in order on SIGTERM or SIGINT and lets the process end by itself; a second signal ends it at
 * once. For `main.ts`.
 */
export function runUntilSignal(options: RunUntilSignalOptions): void {
  const { logger } = options;
  let closing = false;
  const stop = (signal: NodeJS.Signals) => {
    if (closing) process.exit(130);
    closing = true;
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
