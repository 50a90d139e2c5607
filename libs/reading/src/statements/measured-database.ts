import type { Database, StreamOptions } from '@lintel/persistence';

/** The part of the database that reading needs. */
export type ReadDatabase = Pick<Database, 'query' | 'stream'>;

/** The database cost of a request so far. */
export interface DatabaseCost {
  readonly statements: number;
  /** Milliseconds that the request waited for the database. */
  readonly waitedMs: number;
}

/** A database that records the cost of its statements. */
export function measuredDatabase(database: ReadDatabase): {
  readonly database: ReadDatabase;
  readonly cost: () => DatabaseCost;
} {
  let statements = 0;
  let waitedMs = 0;
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const startedMs = performance.now();
    try {
      return await work();
    } finally {
      waitedMs += performance.now() - startedMs;
    }
  };
  return {
    cost: () => ({ statements, waitedMs }),
    database: {
      query(statement, signal) {
        statements += 1;
        return timed(() => database.query(statement, signal));
      },
      async *stream<R extends object>(statement: Parameters<Database['stream']>[0], options: StreamOptions) {
        statements += options.first === undefined ? 1 : 2;
        const batches = database.stream<R>(statement, options)[Symbol.asyncIterator]();
        let isOver = false;
        try {
          for (;;) {
            const batch = await timed(() => batches.next());
            isOver = batch.done === true;
            if (isOver) return;
            yield batch.value;
          }
        } finally {
          if (!isOver) await batches.return?.();
        }
      },
    },
  };
}
