import type { IdempotencyStore } from '@lintel/persistence';
import type { Logger } from '@lintel/telemetry';

/** Removes old responses at intervals, also without requests. */
export interface Pruner {
  start(): void;
  /** Waits for a removal that is under way. */
  stop(): Promise<void>;
}

/** A failure is logged; the next turn tries again. */
export function createPruner(
  store: Pick<IdempotencyStore, 'prune'>,
  intervalMs: number,
  logger: Pick<Logger, 'warn'>,
): Pruner {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const prune = (): void => {
    running ??= store
      .prune()
      .catch((err: unknown) => logger.warn({ err }, 'Old answers of idempotent requests could not be removed'))
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
