import type { SessionPosition } from '@lintel/cache';
import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { DatabaseError } from '@lintel/persistence';
import type { ReadResult } from '../read-entities.ts';
import type { ReadDatabase } from '../statements/measured-database.ts';
import { createReplicaReads } from './create-replica-reads.ts';

const STATEMENT = { text: 'SELECT', values: [] };
const failure = (
  code: 'DATA_UNAVAILABLE' | 'DATA_TIMEOUT' | 'DATA_VALIDATION_FAILED' | 'INTERNAL_ERROR',
  sqlState?: string,
  driverSays = '',
) =>
  new DatabaseError(
    code,
    '',
    { sqlState, schema: undefined, table: undefined, column: undefined, constraint: undefined },
    { cause: new Error(driverSays) },
  );

/** A server that returns its name, or batches; the errors in `failures` come first. */
function server(name: string, batches: readonly string[] = [name]) {
  const failures: unknown[] = [];
  const streams = { open: 0 };
  const fail = (): void => {
    const error = failures.shift();
    if (error !== undefined) throw error;
  };
  const database: ReadDatabase = {
    async query<R extends object>() {
      fail();
      return [{ name }] as unknown as readonly R[];
    },
    async *stream<R extends object>() {
      streams.open += 1;
      try {
        for (const batch of batches) {
          fail();
          yield [batch] as unknown as readonly R[];
        }
      } finally {
        streams.open -= 1;
      }
    },
  };
  return { database, failures, streams };
}

function setUp(known: SessionPosition | Error = { position: undefined, isSure: true }) {
  const [primary, replica] = [
    server('primary', ['primary 1', 'primary 2']),
    server('replica', ['replica 1', 'replica 2']),
  ];
  const state = { canChoose: true, chosenWith: [] as unknown[], suspected: 0, loads: 0, isReplayed: true };
  const suspect = (): void => {
    state.suspected += 1;
  };
  const reads = createReplicaReads({
    primary: primary.database,
    replicas: {
      canChoose: () => state.canChoose,
      choose: (caller, position) => {
        state.chosenWith.push([caller, position]);
        return state.isReplayed ? { database: replica.database, suspect } : undefined;
      },
    },
    positions: {
      async load() {
        state.loads += 1;
        if (known instanceof Error) throw known;
        return known;
      },
    },
    metrics: undefined,
  });
  const read = reads.begin({ sessionId: 'ada' } as Principal);
  const count = async (): Promise<ReadResult> => {
    const rows = await read.query<{ name: string }>(STATEMENT);
    return { kind: 'instance', json: rows[0]?.name ?? '', version: undefined };
  };
  const list = async (): Promise<ReadResult> => {
    const batches = read.stream(STATEMENT, { batchSize: 1 }) as unknown as AsyncIterable<readonly string[]>;
    return { kind: 'stream', batches, total: undefined, appliedCount: undefined, next: undefined };
  };
  const runRead = async (work: () => Promise<ReadResult>, signal = new AbortController().signal) => {
    const result = await read.run(work, signal);
    if (result.kind === 'instance') return result.json;
    return result.kind === 'stream' ? (await Array.fromAsync(result.batches)).flat() : undefined;
  };
  return { primary, replica, state, read, count, list, runRead };
}

test('a session is answered by a replica that has replayed its mark, with all statements', async () => {
  const { state, count, runRead } = setUp({ position: 'M', isSure: true });
  const twice = async () => {
    await count();
    return count();
  };
  expect(await runRead(twice)).toBe('replica');
  expect([state.chosenWith, state.loads]).toEqual([[['ada', 'M']], 1]);
});

test.each([
  ['no replica has replayed its mark', { position: 'M', isSure: true }, { isReplayed: false }],
  ['a mark may have been forgotten', { position: undefined, isSure: false }, {}],
  ['a greater mark may have been forgotten', { position: 'M', isSure: false }, {}],
  ['marks cannot be asked for', new PlatformError('DATA_UNAVAILABLE'), {}],
  ['no replica can be used', { position: undefined, isSure: true }, { canChoose: false }],
])('the primary answers where %s', async (_what, known, changed) => {
  const { state, count, runRead } = setUp(known);
  Object.assign(state, changed);
  expect(await runRead(count)).toBe('primary');
});

test('nothing is asked before a statement is run: a request that is refused has no mark to look for', async () => {
  const { state, read } = setUp();
  const refused = Promise.reject(new PlatformError('REQ_INVALID_FILTER'));
  await expect(read.run(() => refused, new AbortController().signal)).rejects.toMatchObject({
    code: 'REQ_INVALID_FILTER',
  });
  expect(state.loads).toBe(0);
});

test.each([
  ['cancelled in favour of what is replayed', failure('DATA_UNAVAILABLE', '40001'), 0],
  ['lost', failure('DATA_UNAVAILABLE'), 1],
  ['shut down', failure('DATA_UNAVAILABLE', '57P01'), 1],
  ['busy', failure('DATA_UNAVAILABLE', undefined, 'timeout exceeded when trying to connect'), 0],
  ['without the table yet', failure('INTERNAL_ERROR', '42P01'), 0],
  ['without the instance yet', new PlatformError('DATA_INSTANCE_NOT_FOUND', ''), 0],
])('where the replica is %s, the whole request is run at the primary', async (_what, error, suspected) => {
  for (const form of ['count', 'list'] as const) {
    const { replica, state, runRead, ...forms } = setUp();
    replica.failures.push(error);
    expect(await runRead(forms[form])).toEqual(form === 'count' ? 'primary' : ['primary 1', 'primary 2']);
    expect(state.suspected).toBe(suspected);
  }
});

test.each([
  ['too slow', failure('DATA_TIMEOUT', '57014')],
  ['given a value that is wrong everywhere', failure('DATA_VALIDATION_FAILED', '22003')],
  ['met by a mistake of ours', new TypeError('no function')],
])('a statement that was %s is not run again', async (_what, error) => {
  const { replica, count, runRead } = setUp();
  replica.failures.push(error);
  await expect(runRead(count)).rejects.toBe(error);
});

test('nothing is run again for a client that has left', async () => {
  const { replica, count, runRead } = setUp();
  replica.failures.push(failure('DATA_UNAVAILABLE'));
  await expect(runRead(count, AbortSignal.abort())).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' });
});

test('rows that have begun to come are not followed by those of another server', async () => {
  const { replica, list, runRead } = setUp();
  replica.failures.push(undefined, failure('DATA_UNAVAILABLE'));
  await expect(runRead(list)).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' });
});

test('a failure of the primary is the answer', async () => {
  const { primary, replica, count, runRead } = setUp();
  replica.failures.push(failure('DATA_UNAVAILABLE'));
  primary.failures.push(failure('DATA_TIMEOUT', '57014'));
  await expect(runRead(count)).rejects.toMatchObject({ code: 'DATA_TIMEOUT' });
});

test('rows that are not read to the end are let go', async () => {
  const { read, list } = setUp();
  const result = await read.run(list, new AbortController().signal);
  if (result.kind !== 'stream') throw new Error('not a stream');
  for await (const batch of result.batches) {
    expect(batch).toEqual(['replica 1']);
    break;
  }
  expect(await Array.fromAsync(result.batches)).toEqual([]);
});

test('rows that are not read, since responding failed, are released', async () => {
  const { replica, read, list } = setUp();
  await read.abandon();
  await read.run(list, new AbortController().signal);
  expect(replica.streams.open).toBe(1);
  await read.abandon();
  expect(replica.streams.open).toBe(0);
});
