import { PlatformError } from '@lintel/errors';
import { DatabaseError, type Transaction } from '@lintel/persistence';
import type { ReadYourWrites } from '../../../replicas/read-your-writes.ts';
import type { Writer } from '../scope/write-scope.ts';
import { runWrite } from './run-write.ts';
import type { WriteDependencies } from './write-dependencies.ts';

const WRITER: Writer = { username: 'ada', sessionId: 'of ada', locale: null };
const DETAILS = { schema: undefined, table: undefined, column: undefined, constraint: undefined };
const away = (sqlState?: string, driverSays = 'Connection terminated unexpectedly') =>
  new DatabaseError('DATA_UNAVAILABLE', '', { ...DETAILS, sqlState }, { cause: new Error(driverSays) });

/** @param position that the transaction tells with its commit */
function setUp(position?: string) {
  const told: unknown[] = [];
  const writeMarks: ReadYourWrites = {
    async committed(_writer, committed) {
      told.push(['committed', committed]);
    },
    async refused() {
      told.push('refused');
    },
    async uncertain() {
      told.push('uncertain');
    },
  };
  let tellPosition = (_position: string): void => {};
  const transaction = {
    onCommitPosition: (tell: typeof tellPosition) => {
      tellPosition = tell;
    },
  } as Transaction;
  const deps = {
    database: {
      async transaction(work: (transaction: Transaction) => Promise<unknown>) {
        const result = await work(transaction);
        if (position !== undefined) tellPosition(position);
        return result;
      },
    },
    environment: { clock: { now: () => 0 }, ids: undefined, listeners: [], currentMessages: () => ({}) },
    read: { modelWithDynamicAttributes: async () => ({}) },
    translateViolation: (error: unknown) => error,
    retries: { attempts: 2, delayMs: 0 },
    writeMarks,
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
  return { run, told };
}

test('a session is marked with the place of its commit', async () => {
  const { run, told } = setUp('M');
  await run();
  expect(told).toEqual([['committed', 'M']]);
});

test('a write that did nothing marks no session', async () => {
  const { run, told } = setUp();
  await run();
  expect(told).toEqual([]);
});

test.each([
  ['was refused', new PlatformError('DATA_OPTIMISTIC_LOCK', ''), ['refused']],
  ['collided to the last', away('40001'), ['refused']],
  ['lost its server', away(), ['uncertain']],
  ['found a server that shuts down', away('57P01'), ['uncertain']],
  ['got no connection, and so did nothing', away(undefined, 'timeout exceeded when trying to connect'), []],
])('of a write that %s its session is told accordingly', async (_what, failure, expected) => {
  const { run, told } = setUp();
  await expect(run(failure)).rejects.toMatchObject({ code: failure.code });
  expect(told).toEqual(expected);
});

test('nothing is looked up for a client that has left', async () => {
  const { run, told } = setUp();
  await expect(run(new Error('gave up'), AbortSignal.abort())).rejects.toThrow('gave up');
  expect(told).toEqual([]);
});
