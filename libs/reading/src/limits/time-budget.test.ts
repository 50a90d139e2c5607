import { getEventListeners } from 'node:events';
import type { ReadDatabase } from '../statements/measured-database.ts';
import { withTimeBudget } from './time-budget.ts';

const STATEMENT = { text: 'SELECT 1', values: [] };

/** A database whose statements and fetches take a while each, unless they are aborted. */
function slowDatabase(takesMs: number, batches = 0): ReadDatabase {
  const wait = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, takesMs);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    });
  return {
    async query(_statement, signal) {
      await wait(signal);
      return [];
    },
    async *stream<R extends object>(_statement: unknown, { signal }: { readonly signal?: AbortSignal }) {
      for (let at = 0; at < batches; at += 1) {
        await wait(signal);
        yield [{ at } as unknown as R];
      }
    },
  };
}

test('statements of one request share one time limit', async () => {
  const database = withTimeBudget(slowDatabase(300), 450);
  await expect(database.query(STATEMENT)).resolves.toEqual([]);
  await expect(database.query(STATEMENT)).rejects.toMatchObject({ code: 'DATA_TIMEOUT', status: 503 });
});

test('a caller that leaves ends its statement by its own reason', async () => {
  const database = withTimeBudget(slowDatabase(60_000), 60_000);
  await expect(database.query(STATEMENT, AbortSignal.timeout(20))).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('a caller that left before gets no statement', async () => {
  const database = withTimeBudget(
    { ...slowDatabase(0), query: async (_statement, signal) => signal?.throwIfAborted() as never },
    60_000,
  );
  await expect(database.query(STATEMENT, AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
});

test('a caller that leaves ends its stream', async () => {
  const database = withTimeBudget(slowDatabase(20, 100), 60_000);
  const read = async () => {
    for await (const _ of database.stream(STATEMENT, { batchSize: 1, signal: AbortSignal.timeout(50) }));
  };
  await expect(read()).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('the signal of the caller has no listeners after a statement and after a stream', async () => {
  const database = withTimeBudget(slowDatabase(1, 3), 60_000);
  const { signal } = new AbortController();
  await database.query(STATEMENT, signal);
  for await (const _ of database.stream(STATEMENT, { batchSize: 1, signal }))
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('fetches that run while the reader uses the rows before count, too', async () => {
  const database: ReadDatabase = {
    ...slowDatabase(0),
    async *stream<R extends object>(
      _statement: unknown,
      { signal, onFetched }: { readonly signal?: AbortSignal; readonly onFetched?: (durationMs: number) => void },
    ) {
      for (let at = 0; at < 5; at += 1) {
        signal?.throwIfAborted();
        yield [{ at } as unknown as R];
        // The next rows are there already.
        onFetched?.(40_000);
      }
    },
  };
  const fetched: number[] = [];
  const seen: unknown[] = [];
  const read = async () => {
    const options = { batchSize: 1, onFetched: (durationMs: number) => void fetched.push(durationMs) };
    for await (const [row] of withTimeBudget(database, 100_000).stream(STATEMENT, options)) seen.push(row);
  };
  await expect(read()).rejects.toMatchObject({ code: 'DATA_TIMEOUT' });
  expect(seen).toEqual([{ at: 0 }, { at: 1 }, { at: 2 }, { at: 3 }]);
  expect(fetched).toEqual([40_000, 40_000, 40_000]);
});

test('fetches of a stream count, the time of its reader does not', async () => {
  const read = async (budgetMs: number, readerMs: number) => {
    let count = 0;
    for await (const _ of withTimeBudget(slowDatabase(50, 6), budgetMs).stream(STATEMENT, { batchSize: 1 })) {
      count += 1;
      await new Promise((resolve) => setTimeout(resolve, readerMs));
    }
    return count;
  };
  await expect(read(10_000, 20)).resolves.toBe(6);
  await expect(read(2_000, 400)).resolves.toBe(6);
  await expect(read(120, 0)).rejects.toMatchObject({ code: 'DATA_TIMEOUT' });
});
