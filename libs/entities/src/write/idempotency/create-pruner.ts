import type { Logger } from '@lintel/telemetry';

/** Removes what has expired at intervals, also without requests. */
export interface Pruner {
  start(): void;
  /** Waits for a removal that is under way. */
  stop(): Promise<void>;
}

/** A failure is logged as `failure`; the next turn tries again. */
export function createPruner(
  store: { prune(): Promise<void> },
  intervalMs: number,
  logger: Pick<Logger, 'warn'>,
  failure: string,
): Pruner {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const prune = (): void => {
    running ??= store
      .prune()
      .catch((err: unknown) => logger.warn({ err }, failure))
      .finally(() => {
        running = undefined;
      });
  };
  return {
    start() {
      timer = setInterval(prune, intervalMs).unref();
      prune();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
