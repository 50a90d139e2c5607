import { FairQueue, type FairQueueOptions } from '@lintel/http';
import type { Statement, StreamOptions } from '@lintel/persistence';
import type { ReadDatabase } from '@lintel/reading';
import { runInShare } from './current-share.ts';
import { fairReads } from './fair-database.ts';
import { StatementCosts } from './statement-costs.ts';

// In an ES module `jest` is a member of `import.meta`.
const { jest: fake } = import.meta as unknown as { readonly jest: typeof jest };

const startQueue = (options: Partial<FairQueueOptions> = {}): FairQueue =>
  new FairQueue({
    name: 'test',
    capacity: 4,
    heavyCapacity: 4,
    maxWaiting: 10,
    maxWaitingPerCaller: 10,
    maxWaitMs: 1_000,
    ...options,
  });

/** A database that is busy after its requests have ended, until it reports that the connection is free. */
function start() {
  const queue = startQueue();
  const busy: (() => void)[] = [];
  const database: ReadDatabase = {
    query: ({ onFree }: Statement, signal) => {
      busy.push(() => onFree?.());
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    },
    async *stream(_statement: Statement, { onFree }: StreamOptions) {
      busy.push(() => onFree?.());
      yield [];
    },
  };
  return { queue, busy, reads: fairReads(database, queue, new StatementCosts()) };
}

const inShare = <T>(work: () => Promise<T>, caller = 'a', isHeavy = false): Promise<T> =>
  new Promise((resolve, reject) =>
    runInShare({ caller, isHeavy, transactions: 0 }, () => void work().then(resolve, reject)),
  );

test('the slot of an aborted request is free when its connection is free', async () => {
  const { queue, busy, reads } = start();
  const client = new AbortController();
  const request = inShare(() => reads.query({ text: 'SELECT 1', values: [] }, client.signal));
  client.abort(new Error('gone'));
  await expect(request).rejects.toThrow('gone');
  expect(queue.running).toBe(1);
  for (const free of [...busy, ...busy]) free();
  expect(queue.running).toBe(0);
});

test('the slot of a stream that is not read to its end is free when its connection is free', async () => {
  const { queue, busy, reads } = start();
  await inShare(async () => {
    for await (const _ of reads.stream({ text: 'SELECT 1', values: [] }, { batchSize: 1 })) break;
  });
  expect(queue.running).toBe(1);
  for (const free of busy) free();
  expect(queue.running).toBe(0);
});

describe('a stream', () => {
  const LIST: Statement = { text: 'SELECT list', values: [] };
  beforeEach(() => void fake.useFakeTimers());
  afterEach(() => void fake.useRealTimers());

  /** A database whose streams have three batches with the given durations; it releases its connection at once. */
  function startStreams(fetchMs: number, options: Partial<FairQueueOptions> = {}, aheadMs?: number) {
    const queue = startQueue(options);
    const costs = new StatementCosts();
    const database: ReadDatabase = {
      query: async () => [],
      async *stream(_statement: Statement, { onFree, onFetched }: StreamOptions) {
        try {
          for (let batch = 0; batch < 3; batch += 1) {
            await new Promise((resolve) => setTimeout(resolve, fetchMs));
            yield [];
            if (aheadMs !== undefined) onFetched?.(aheadMs);
          }
        } finally {
          onFree?.();
        }
      },
    };
    const reads = fairReads(database, queue, costs);
    /** Reads all batches; the client needs the given time for each. */
    const read = (clientMs: number, isHeavy = false): Promise<number> =>
      inShare(
        async () => {
          let batches = 0;
          for await (const _ of reads.stream(LIST, { batchSize: 1 })) {
            batches += 1;
            await new Promise((resolve) => setTimeout(resolve, clientMs));
          }
          return batches;
        },
        'a',
        isHeavy,
      );
    return { queue, costs, read };
  }

  test('of a statement that is not heavy uses no slot for heavy ones', async () => {
    const { queue, costs, read } = startStreams(10, { heavyCapacity: 1 });
    queue.tryTake('b', 'heavy');
    const reading = read(0);
    await fake.advanceTimersByTimeAsync(100);
    expect(await reading).toBe(3);
    expect(costs.kindOf(LIST.text)).toBe('ordinary');
  });

  test('is heavy if the database takes long', async () => {
    const { queue, costs, read } = startStreams(100, { heavyCapacity: 1 });
    const first = read(0);
    await fake.advanceTimersByTimeAsync(500);
    await first;
    expect(costs.kindOf(LIST.text)).toBe('heavy');
    const slot = queue.tryTake('b', 'heavy');
    const second = read(0);
    await fake.advanceTimersByTimeAsync(100);
    expect(queue.waiting).toBe(1);
    slot?.end();
    await fake.advanceTimersByTimeAsync(500);
    expect(await second).toBe(3);
  });

  test('is heavy as soon as its first batch takes long', async () => {
    const { costs, read } = startStreams(400);
    const reading = read(0);
    await fake.advanceTimersByTimeAsync(300);
    expect(costs.kindOf(LIST.text)).toBe('heavy');
    await fake.advanceTimersByTimeAsync(2_000);
    await reading;
  });

  test('is heavy if the database takes long while the client uses the rows before', async () => {
    const { costs, read } = startStreams(1, {}, 200);
    const reading = read(200);
    await fake.advanceTimersByTimeAsync(1_000);
    expect(await reading).toBe(3);
    expect(costs.kindOf(LIST.text)).toBe('heavy');
  });

  test('is not heavy if only its client takes long', async () => {
    const { costs, read } = startStreams(1);
    const reading = read(1_000);
    await fake.advanceTimersByTimeAsync(5_000);
    expect(await reading).toBe(3);
    expect(costs.kindOf(LIST.text)).toBe('ordinary');
  });

  test('that is read slowly keeps its slot while no statement waits', async () => {
    const { queue, read } = startStreams(1);
    const reading = read(60_000);
    await fake.advanceTimersByTimeAsync(200_000);
    expect(await reading).toBe(3);
    expect(queue.running).toBe(0);
  });

  test('that is read slowly releases its slot if a statement waits', async () => {
    const { queue, read } = startStreams(1, { capacity: 1, heavyCapacity: 1, maxWaitMs: 60_000 });
    const reading = read(30_000);
    const outcome = reading.catch((error: unknown) => error);
    await fake.advanceTimersByTimeAsync(5_000);
    let isFree = false;
    void queue.take('b', 'ordinary').then(() => {
      isFree = true;
    });
    await fake.advanceTimersByTimeAsync(4_000);
    expect(isFree).toBe(false);
    await fake.advanceTimersByTimeAsync(2_000);
    expect(isFree).toBe(true);
    await fake.advanceTimersByTimeAsync(30_000);
    expect(await outcome).toMatchObject({ code: 'DATA_TIMEOUT' });
  });

  test('of a report keeps its slot: its rows are read at the speed at which the document is made', async () => {
    const { queue, read } = startStreams(1, { capacity: 1, heavyCapacity: 1, maxWaitMs: 200_000 });
    const reading = read(30_000, true);
    await fake.advanceTimersByTimeAsync(1_000);
    const next = queue.take('b', 'ordinary');
    await fake.advanceTimersByTimeAsync(100_000);
    expect(await reading).toBe(3);
    await next;
  });
});
