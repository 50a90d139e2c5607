import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import type { Database } from '../../database.ts';
import { createDatabase } from '../create-database.ts';
import { createResultMemory } from '../results/result-memory.ts';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createTestDatabase('persistence');
});
beforeEach(() => {
  // Longer than a test may take: a statement ends only by what the test does.
  database = createDatabase({
    url: server.url,
    maxConnections: 1,
    statementTimeoutMs: 120_000,
    applicationName: 'test',
    resultMemory: createResultMemory({ maxBytes: 64 * 1024 * 1024, maxWaitMs: 120_000 }),
  });
});
afterEach(() => database.close());
afterAll(() => server.drop());

const numbers = (count: number, name?: string) => ({
  ...(name === undefined ? {} : { name }),
  text: 'SELECT number::bigint FROM generate_series(1, $1::int) AS number',
  values: [count],
});

const idle = () => eventually(() => expect(database.metrics()).toEqual({ total: 1, idle: 1, waiting: 0 }));

test('rows come in batches, in order, exact, with parameters', async () => {
  const sizes: number[] = [];
  const seen: string[] = [];
  for await (const rows of database.stream<{ number: string }>(numbers(1_050), { batchSize: 200 })) {
    sizes.push(rows.length);
    seen.push(...rows.map((row) => row.number));
  }
  expect(sizes).toEqual([200, 200, 200, 200, 200, 50]);
  expect(seen).toEqual(Array.from({ length: 1_050 }, (_, index) => String(index + 1)));
});

test('a result of exactly one batch, and an empty one, end by themselves', async () => {
  const counts: number[] = [];
  for await (const rows of database.stream(numbers(200), { batchSize: 200 })) counts.push(rows.length);
  for await (const rows of database.stream(numbers(0), { batchSize: 200 })) counts.push(rows.length);
  expect(counts).toEqual([200]);
});

test('a named statement is prepared once, whether it is streamed or buffered', async () => {
  for (let round = 0; round < 3; round += 1) {
    for await (const rows of database.stream(numbers(3, 'shared'), { batchSize: 2 }))
      expect(rows.length).toBeGreaterThan(0);
  }
  await expect(database.query(numbers(2, 'shared'))).resolves.toEqual([{ number: '1' }, { number: '2' }]);
  const prepared = await database.query({ text: 'SELECT name FROM pg_prepared_statements', values: [] });
  expect(prepared).toEqual([{ name: 'shared' }]);
});

test('leaving the loop early frees the connection', async () => {
  for await (const rows of database.stream(numbers(1_000_000), { batchSize: 10 })) {
    expect(rows).toHaveLength(10);
    break;
  }
  await expect(database.query(numbers(1))).resolves.toEqual([{ number: '1' }]);
  await idle();
});

test('a consumer that throws frees the connection', async () => {
  const failing = async (): Promise<void> => {
    for await (const _ of database.stream(numbers(1_000), { batchSize: 10 })) throw new Error('the client left');
  };
  await expect(failing()).rejects.toThrow('the client left');
  await idle();
});

test('an error in the middle reaches the consumer, and the connection is used again', async () => {
  const statement = {
    name: 'divide',
    text: 'SELECT 10 / (5 - number) FROM generate_series(1, $1::int) AS number',
    values: [9],
  };
  const seen: number[] = [];
  const read = async (): Promise<void> => {
    for await (const rows of database.stream(statement, { batchSize: 2 })) seen.push(rows.length);
  };
  await expect(read()).rejects.toMatchObject({ database: { sqlState: '22012' } });
  expect(seen).toEqual([2, 2]);
  await expect(database.query(numbers(1))).resolves.toEqual([{ number: '1' }]);
  await idle();
});

test('a statement that cannot be prepared is reported', async () => {
  const read = async (): Promise<void> => {
    for await (const _ of database.stream({ name: 'wrong', text: 'SELECT nothing', values: [] }, { batchSize: 2 }));
  };
  await expect(read()).rejects.toMatchObject({ database: { sqlState: '42703' } });
  await expect(read()).rejects.toMatchObject({ database: { sqlState: '42703' } });
  await idle();
});

test('an abort while rows are awaited rejects at once and cancels the statement', async () => {
  const abort = new AbortController();
  const read = async (): Promise<void> => {
    const statement = { text: 'SELECT pg_sleep(110) FROM generate_series(1, 100)', values: [] };
    for await (const _ of database.stream(statement, { batchSize: 50, signal: abort.signal }));
  };
  const reading = read();
  setTimeout(() => abort.abort(), 100);
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  await idle();
  await expect(database.query(numbers(1))).resolves.toEqual([{ number: '1' }]);
});

test('an abort that arrives before the server runs the statement cancels it too', async () => {
  const text = 'SELECT pg_sleep(100)';
  const running = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query = $1 AND state <> 'idle'";
  for (let steps = 0; steps < 60; steps += 1) {
    const abort = new AbortController();
    const read = async (): Promise<void> => {
      for await (const _ of database.stream({ text, values: [] }, { batchSize: 50, signal: abort.signal }));
    };
    const reading = expect(read()).rejects.toMatchObject({ name: 'AbortError' });
    for (let step = 0; step < steps; step += 1) await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    await reading;
    // The connection is closed where the request arrived while the transaction was being opened.
    await eventually(() => {
      const { total, idle, waiting } = database.metrics();
      expect({ used: total - idle, waiting }).toEqual({ used: 0, waiting: 0 });
    });
    await eventually(async () => expect(await server.query(running, [text])).toEqual([]));
  }
});

test('a batch that was handed out is not kept while the rest is read', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const seen: WeakRef<object>[] = [];
  const { signal } = new AbortController();
  for await (const rows of database.stream(numbers(50), { batchSize: 10, signal })) {
    seen.push(new WeakRef(rows));
    // The target of a new reference is kept until the end of the current job of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(seen.slice(0, -1).map((batch) => batch.deref())).toEqual(seen.slice(0, -1).map(() => undefined));
  }
  expect(seen).toHaveLength(5);
});

test('an abort between two batches ends the loop', async () => {
  const abort = new AbortController();
  const read = async (): Promise<void> => {
    for await (const _ of database.stream(numbers(1_000), { batchSize: 10, signal: abort.signal })) abort.abort();
  };
  await expect(read()).rejects.toMatchObject({ name: 'AbortError' });
  await idle();
});

test('each fetch has the time limit of a statement, however long the consumer takes', async () => {
  const slow = createDatabase({
    url: server.url,
    maxConnections: 1,
    statementTimeoutMs: 1_000,
    applicationName: 'test',
  });
  const readSlowly = async (): Promise<number> => {
    let batches = 0;
    for await (const _ of slow.stream(numbers(40), { batchSize: 10 })) {
      batches += 1;
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    return batches;
  };
  // A fetch during which the machine stands still exceeds the limit.
  await eventually(async () => expect(await readSlowly()).toBe(4));
  const read = async (): Promise<void> => {
    const statement = { text: 'SELECT pg_sleep(110)', values: [] };
    for await (const _ of slow.stream(statement, { batchSize: 10 }));
  };
  await expect(read()).rejects.toMatchObject({ code: 'DATA_TIMEOUT' });
  await eventually(async () => expect(await slow.query(numbers(1))).toEqual([{ number: '1' }]));
  await slow.close();
});

test('writing is refused', async () => {
  const read = async (): Promise<void> => {
    await server.query('CREATE TABLE written (id int)');
    const statement = { text: 'INSERT INTO written VALUES (1) RETURNING id', values: [] };
    for await (const _ of database.stream(statement, { batchSize: 2 }));
  };
  await expect(read()).rejects.toMatchObject({ database: { sqlState: '25006' } });
});

describe('the next batch', () => {
  /** Rows that show how far the server has come, by the locks of their transaction. */
  const locking = (columns: string) => ({
    text: `SELECT pg_advisory_xact_lock(number)::text, ${columns} FROM generate_series(1, 100) AS number`,
    values: [],
  });
  const lockedRows = async () => {
    const [row] = await server.query(
      "SELECT count(*)::int AS rows FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    );
    return row?.['rows'];
  };

  test('is fetched while a small one is used, and no further one', async () => {
    const batches = database.stream(locking('number'), { batchSize: 10 })[Symbol.asyncIterator]();
    for (const fetched of [20, 30]) {
      expect((await batches.next()).value).toHaveLength(10);
      await eventually(async () => expect(await lockedRows()).toBe(fetched));
    }
    await batches.return?.();
    await idle();
  });

  test('is reported when it has been fetched', async () => {
    let fetches = 0;
    const onFetched = (): void => {
      fetches += 1;
    };
    const batches = database.stream(numbers(30), { batchSize: 10, onFetched })[Symbol.asyncIterator]();
    for (const fetched of [2, 3]) {
      expect((await batches.next()).value).toHaveLength(10);
      await eventually(() => expect(fetches).toBe(fetched));
    }
    await batches.return?.();
    await idle();
  });

  test('is not fetched while a large one is used', async () => {
    const batches = database.stream(locking("repeat('x', 100_000)"), { batchSize: 10 })[Symbol.asyncIterator]();
    for (const fetched of [10, 20]) {
      expect((await batches.next()).value).toHaveLength(10);
      expect(await lockedRows()).toBe(fetched);
    }
    await batches.return?.();
    await idle();
  });

  test('that takes long is cancelled when the consumer has left', async () => {
    const text = 'SELECT CASE WHEN number > 10 THEN pg_sleep(110) END FROM generate_series(1, 20) AS number';
    for await (const rows of database.stream({ text, values: [] }, { batchSize: 10 })) {
      expect(rows).toHaveLength(10);
      break;
    }
    await idle();
    await expect(database.query(numbers(1))).resolves.toEqual([{ number: '1' }]);
  });
});

describe('a first statement', () => {
  const first = { text: 'SELECT count(*) AS count FROM counted', values: [] };
  const all = { text: 'SELECT id FROM counted', values: [] };

  beforeAll(() => server.query('CREATE TABLE counted AS SELECT generate_series(1, 5) AS id'));

  test('comes first, even when it has no rows, and sees the same state of the database', async () => {
    const sizes: number[] = [];
    for await (const rows of database.stream(all, { batchSize: 3, first })) {
      if (sizes.length === 0) {
        expect(rows).toEqual([{ count: '5' }]);
        await server.query('INSERT INTO counted VALUES (6)');
      }
      sizes.push(rows.length);
    }
    expect(sizes).toEqual([1, 3, 2]);
    const none = { text: 'SELECT id FROM counted WHERE false', values: [] };
    for await (const rows of database.stream(none, { batchSize: 3, first: none })) expect(rows).toEqual([]);
    await idle();
  });

  test('that fails is reported, and the connection is used again', async () => {
    const wrong = { text: 'SELECT 1 / 0', values: [] };
    const read = async (): Promise<void> => {
      for await (const _ of database.stream(all, { batchSize: 3, first: wrong }));
    };
    await expect(read()).rejects.toMatchObject({ database: { sqlState: '22012' } });
    await expect(database.query(numbers(1))).resolves.toEqual([{ number: '1' }]);
    await idle();
  });

  test('is cancelled when the consumer leaves', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 100);
    const read = async (): Promise<void> => {
      const slow = { text: 'SELECT pg_sleep(110)', values: [] };
      for await (const _ of database.stream(all, { batchSize: 3, first: slow, signal: abort.signal }));
    };
    await expect(read()).rejects.toMatchObject({ name: 'AbortError' });
    await idle();
  });

  test('is cancelled when the consumer leaves before there is a connection', async () => {
    const abort = new AbortController();
    const slow = { text: 'SELECT pg_sleep(110)', values: [] };
    const read = async (): Promise<void> => {
      for await (const _ of database.stream(all, { batchSize: 3, first: slow, signal: abort.signal }));
    };
    const reading = expect(read()).rejects.toMatchObject({ name: 'AbortError' });
    abort.abort();
    await reading;
    await idle();
  });
});

test('a consumer that stops gets its connection taken, and is refused when it comes back', async () => {
  const batches = database.stream(numbers(1_000), { batchSize: 10, maxIdleMs: 50 })[Symbol.asyncIterator]();
  expect((await batches.next()).value).toHaveLength(10);
  await idle();
  await expect(batches.next()).rejects.toMatchObject({ code: 'DATA_TIMEOUT' });
  await expect(database.query(numbers(1))).resolves.toHaveLength(1);
});
