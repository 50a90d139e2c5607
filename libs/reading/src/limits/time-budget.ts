import { PlatformError } from '@lintel/errors';
import type { ReadDatabase } from '../statements/measured-database.ts';

/** Reads of one request. */
interface Budget {
  /** Runs a part of the reading, which ends with DATA_TIMEOUT when the time of the request is used up. */
  run<T>(part: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
  /** Uses up time of the database in which the request did not wait. */
  spend(durationMs: number): void;
}

function createBudget(budgetMs: number): Budget {
  let leftMs = budgetMs;
  return {
    async run(part, signal) {
      // What has been fetched ahead would be there at once.
      if (leftMs <= 0) throw tooSlow();
      const { controller, release } = followSignal(signal);
      const startedAtMs = performance.now();
      const timer = setTimeout(() => controller.abort(tooSlow()), leftMs);
      try {
        return await part(controller.signal);
      } finally {
        release();
        clearTimeout(timer);
        leftMs -= performance.now() - startedAtMs;
      }
    },
    spend(durationMs) {
      leftMs -= durationMs;
    },
  };
}

/**
 * A controller that aborts when the signal does, until `release`. `AbortSignal.any` registers its signals for cleanup,
 * which keeps them and their listeners until the next full garbage collection.
 */
function followSignal(signal: AbortSignal | undefined): {
  readonly controller: AbortController;
  readonly release: () => void;
} {
  const controller = new AbortController();
  if (signal === undefined) return { controller, release() {} };
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return { controller, release: () => signal.removeEventListener('abort', abort) };
}

const tooSlow = (): PlatformError =>
  new PlatformError('DATA_TIMEOUT', 'The statements of the request took too long together');

/**
 * A database for a request of several statements that share one time limit: the server's own limit restarts with each
 * statement. For a stream only the fetches count, not the time in which the client receives the rows; so do fetches in
 * that time.
 *
 * @param budgetMs undefined if statements have no time limit
 */
export function withTimeBudget(database: ReadDatabase, budgetMs: number | undefined): ReadDatabase {
  if (budgetMs === undefined) return database;
  const budget = createBudget(budgetMs);
  return {
    query: (statement, signal) => budget.run((either) => database.query(statement, either), signal),
    async *stream<R extends object>(
      statement: Parameters<ReadDatabase['stream']>[0],
      options: Parameters<ReadDatabase['stream']>[1],
    ) {
      const { controller, release } = followSignal(options.signal);
      let fetchedMs = 0;
      const onFetched = (durationMs: number): void => {
        fetchedMs += durationMs;
        options.onFetched?.(durationMs);
      };
      const own = { ...options, signal: controller.signal, onFetched };
      const batches = database.stream<R>(statement, own)[Symbol.asyncIterator]();
      let isOver = false;
      try {
        for (;;) {
          const startedAtMs = performance.now();
          const batch = await budget.run((inTime) => {
            inTime.addEventListener('abort', () => controller.abort(inTime.reason), { once: true });
            return batches.next();
          }, undefined);
          budget.spend(Math.max(0, fetchedMs - (performance.now() - startedAtMs)));
          fetchedMs = 0;
          isOver = batch.done === true;
          if (batch.done) return;
          yield batch.value;
        }
      } finally {
        release();
        if (!isOver) await batches.return?.();
      }
    },
  };
}
