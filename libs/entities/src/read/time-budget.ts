import { PlatformError } from '@lintel/errors';
import type { ReadDatabase } from './measured-database.ts';

/** Reads of one request. */
interface Budget {
  /** Runs a part of the reading, which ends with DATA_TIMEOUT when the time of the request is used up. */
  run<T>(part: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
}

function createBudget(budgetMs: number): Budget {
  let leftMs = budgetMs;
  return {
    async run(part, signal) {
      const over = new AbortController();
      const startedAtMs = performance.now();
      const timer = setTimeout(() => over.abort(tooSlow()), Math.max(1, leftMs));
      try {
        return await part(signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]));
      } finally {
        clearTimeout(timer);
        leftMs -= performance.now() - startedAtMs;
      }
    },
  };
}

const tooSlow = (): PlatformError =>
  new PlatformError('DATA_TIMEOUT', 'The statements of the request took too long together');

/**
 * A database for a request of several statements that share one time limit: the server's own limit restarts with each
 * statement. For a stream only the fetches count, not the time in which the client receives the rows.
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
      const over = new AbortController();
      const { signal } = options;
      const either = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
      const batches = database.stream<R>(statement, { ...options, signal: either })[Symbol.asyncIterator]();
      let isOver = false;
      try {
        for (;;) {
          const batch = await budget.run((inTime) => {
            inTime.addEventListener('abort', () => over.abort(inTime.reason), { once: true });
            return batches.next();
          }, undefined);
          isOver = batch.done === true;
          if (batch.done) return;
          yield batch.value;
        }
      } finally {
        if (!isOver) await batches.return?.();
      }
    },
  };
}
