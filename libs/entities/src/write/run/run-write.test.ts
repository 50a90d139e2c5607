import { PlatformError } from '@lintel/errors';
import { DatabaseError, type Transaction } from '@lintel/persistence';
import type { ReadYourWrites } from '@lintel/reading';
import type { Writer } from '../scope/write-scope.ts';
import type { WriteDependencies } from '../write-dependencies.ts';
import { runWrite } from './run-write.ts';

const WRITER: Writer = { username: 'ada', sessionId: 'of ada', locale: null };
const DETAILS = { schema: undefined, table: undefined, column: undefined, constraint: undefined };
const away = (sqlState?: string, driverSays = 'Connection terminated unexpectedly') =>
  new DatabaseError('DATA_UNAVAILABLE', '', { ...DETAILS, sqlState }, { cause: new Error(driverSays) });

/** @param position the log position of the commit */
function setUp(position?: string) {
  const calls: unknown[] = [];
  const readYourWrites: ReadYourWrites = {
    async committed(_writer, committed) {
      calls.push(['committed', committed]);
    },
    async refused() {
      calls.push('refused');
    },
    async uncertain() {
      calls.push('uncertain');
    },
  };
  let onPosition = (_position: string): void => {};
  const transaction = {
    onCommitPosition: (listener: typeof onPosition) => {
      onPosition = listener;
    },
  } as Transaction;
  const deps = {
    database: {
      async transaction(work: (transaction: Transaction) => Promise<unknown>) {
        const result = await work(transaction);
        if (position !== undefined) onPosition(position);
        return result;
      },
    },
    environment: { clock: { now: () => 0 }, ids: undefined, listeners: { of: () => [] }, currentMessages: () => ({}) },
    read: { modelWithDynamicAttributes: async () => ({ entities: new Map() }) },
    translateViolation: async (error: unknown) => error,
    retries: { attempts: 2, delayMs: 0 },
    readYourWrites,
  } as unknown as WriteDependencies;
  const run = (failure?: unknown, signal?: AbortSignal) =>
    runWrite(
      deps,
      WRITER,
      async () => {
        if (failure !== undefined) throw failure;
      },
      signal,
    );
  return { run, calls };
}

test('a session gets the log position of its commit', async () => {
  const { run, calls } = setUp('M');
  await run();
  expect(calls).toEqual([['committed', 'M']]);
});

test('a write that did nothing marks no session', async () => {
  const { run, calls } = setUp();
  await run();
  expect(calls).toEqual([]);
});

test.each([
  ['was refused', new PlatformError('DATA_OPTIMISTIC_LOCK', ''), ['refused']],
  ['collided to the last', away('40001'), ['refused']],
  ['lost its server', away(), ['uncertain']],
  ['found a server that shuts down', away('57P01'), ['uncertain']],
  ['got no connection, and so did nothing', away(undefined, 'timeout exceeded when trying to connect'), []],
])('of a write that %s its session is calls accordingly', async (_what, failure, expected) => {
  const { run, calls } = setUp();
  await expect(run(failure)).rejects.toMatchObject({ code: failure.code });
  expect(calls).toEqual(expected);
});

test('nothing is looked up for a client that has left', async () => {
  const { run, calls } = setUp();
  await expect(run(new Error('gave up'), AbortSignal.abort())).rejects.toThrow('gave up');
  expect(calls).toEqual([]);
});
