import {
  COMMITTED_POSITION,
  createDatabase,
  type Database,
  type LogPosition,
  type OutboxEvent,
  type Transaction,
} from '@lintel/persistence';
import { cloneTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { runMigrations } from '../../src/migrations/run-migrations.ts';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await cloneTestDatabase(
    { key: 'platform', build: (url) => runMigrations({ url, migrations: [] }) },
    'persistence',
  );
  await server.query('CREATE TABLE account (id int PRIMARY KEY, amount numeric(10,2) NOT NULL)');
});
beforeEach(async () => {
  await server.query('TRUNCATE account, events.outbox');
  database = createDatabase({
    url: server.url,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'test',
  });
});
afterEach(() => database.close());
afterAll(() => server.drop());

const insert = (id: number) => ({ name: 'insert', text: 'INSERT INTO account VALUES ($1, $2)', values: [id, '1.10'] });
const accounts = () => server.query('SELECT id FROM account ORDER BY id');
const idle = () => eventually(() => expect(database.metrics()).toMatchObject({ total: 1, idle: 1, waiting: 0 }));

const event = (id: number, subject = 'account/1'): OutboxEvent => ({
  id: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  type: 'data.entity.changed.v1',
  subject,
  envelope: { id, text: `it's "quoted", {braced} and \\ slashed` },
});

test('what the work did is there after the commit, with its result', async () => {
  const result = await database.transaction(async (transaction) => {
    await transaction.query(insert(1));
    await transaction.query(insert(2));
    return transaction.query<{ sum: string }>({ text: 'SELECT sum(amount) FROM account', values: [] });
  });
  expect(result).toEqual([{ sum: '2.20' }]);
  expect(await accounts()).toEqual([{ id: 1 }, { id: 2 }]);
  await idle();
});

test('the log position of the commit is passed before the transaction resolves, and rises', async () => {
  const positions: LogPosition[] = [];
  for (const id of [1, 2]) {
    await database.transaction(async (transaction) => {
      transaction.onCommitPosition((position) => positions.push(position));
      transaction.send(insert(id));
      await transaction.appendEvents([event(id)]);
    });
    expect(positions).toHaveLength(id);
  }
  const [last] = await database.query<{ position: LogPosition }>(COMMITTED_POSITION);
  const ordered = [...positions, last?.position ?? ''];
  for (const each of ordered) expect(each).toMatch(/^[0-9A-F]{24}$/);
  expect(ordered.toSorted()).toEqual(ordered);
  expect(ordered[0]).not.toBe(ordered[1]);
  await idle();
});

test('no position is passed where nothing was done, or the work rejects', async () => {
  const positions: LogPosition[] = [];
  const ask = (transaction: Transaction): void => transaction.onCommitPosition((position) => positions.push(position));
  await database.transaction(async (transaction) => ask(transaction));
  const work = async (transaction: Transaction): Promise<void> => {
    ask(transaction);
    await transaction.query(insert(1));
    throw new Error('changed my mind');
  };
  await expect(database.transaction(work)).rejects.toThrow('changed my mind');
  expect(positions).toEqual([]);
  await idle();
});

test('nothing is left when the work rejects, events included', async () => {
  const work = async (transaction: Transaction): Promise<void> => {
    await transaction.query(insert(1));
    await transaction.appendEvents([event(1)]);
    throw new Error('changed my mind');
  };
  await expect(database.transaction(work)).rejects.toThrow('changed my mind');
  expect(await accounts()).toEqual([]);
  expect(await server.query('SELECT 1 FROM events.outbox')).toEqual([]);
  await idle();
});

test('statements that are only sent are there after the commit, in their order', async () => {
  await database.transaction(async (transaction) => {
    transaction.send(insert(1));
    transaction.send({ text: 'UPDATE account SET amount = amount + 1 WHERE id = $1', values: [1] });
  });
  expect(await server.query('SELECT id, amount FROM account')).toEqual([{ id: 1, amount: '2.10' }]);
  await idle();
});

test.each<[string, (transaction: Transaction) => Promise<unknown>]>([
  ['ends well', async () => 'done'],
  ['rejects for another reason', async () => Promise.reject(new Error('something else'))],
  ['asks for more', (transaction) => transaction.query({ text: 'SELECT 1', values: [] })],
])(
  'a failure of a statement that was only sent is what the transaction rejects with when the work %s',
  async (_, then) => {
    const work = async (transaction: Transaction): Promise<unknown> => {
      transaction.send(insert(1));
      transaction.send(insert(1));
      transaction.send(insert(2));
      await transaction.query({ text: 'SELECT 1', values: [] }).catch(() => {});
      return then(transaction);
    };
    await expect(database.transaction(work)).rejects.toMatchObject({ code: 'DATA_UNIQUE_VIOLATION' });
    expect(await accounts()).toEqual([]);
    await idle();
  },
);

test('a statement that could not even be sent is not missing from what was committed', async () => {
  const circular: unknown[] = [];
  circular.push({ circular });
  const work = async (transaction: Transaction): Promise<void> => {
    transaction.send(insert(1));
    transaction.send({ text: 'INSERT INTO account VALUES ($1, $2)', values: [2, { circular }] });
  };
  const cause = expect.objectContaining({ message: expect.stringContaining('circular') });
  await expect(database.transaction(work)).rejects.toMatchObject({ cause });
  expect(await accounts()).toEqual([]);
  await idle();
});

test('a failed statement fails the transaction even where the work ignores it', async () => {
  const work = async (transaction: Transaction): Promise<string> => {
    await transaction.query(insert(1));
    await transaction.query(insert(1)).catch(() => {});
    return 'done';
  };
  await expect(database.transaction(work)).rejects.toMatchObject({ code: 'DATA_UNIQUE_VIOLATION' });
  expect(await accounts()).toEqual([]);
});

test('events are stored with the change, in their order', async () => {
  await database.transaction(async (transaction) => {
    await transaction.appendEvents([event(1)]);
    await transaction.query(insert(1));
    await transaction.appendEvents([event(2), event(3, 'account/2')]);
  });
  await database.transaction((transaction) => transaction.appendEvents([event(4)]));
  const rows = await server.query<{ envelope: OutboxEvent }>(
    'SELECT id, type, subject, envelope, published_at FROM events.outbox ORDER BY position',
  );
  expect(rows).toEqual(
    [event(1), event(2), event(3, 'account/2'), event(4)].map((each) => ({ ...each, published_at: null })),
  );
});

test('any number of events of one transaction is stored as given, in their order', async () => {
  const appended: OutboxEvent[] = [];
  for (const count of [1, 2, 8, 9, 30]) {
    const events = Array.from({ length: count }, (_, at) => ({
      ...event(100 - appended.length - at, `account/${at}`),
      ...(at % 2 === 1 && { subject: undefined }),
    }));
    appended.push(...events);
    await database.transaction((transaction) => transaction.appendEvents(events));
  }
  const rows = await server.query('SELECT id, type, subject, envelope FROM events.outbox ORDER BY position');
  expect(rows).toEqual(appended.map((each) => ({ ...each, subject: each.subject ?? null })));
});

test('a transaction whose events cannot be stored is rolled back', async () => {
  const work = async (transaction: Transaction): Promise<void> => {
    await transaction.query(insert(1));
    await transaction.appendEvents([{ ...event(1), id: 'not a uuid' }]);
  };
  await expect(database.transaction(work)).rejects.toMatchObject({ database: { sqlState: '22P02' } });
  expect(await accounts()).toEqual([]);
  await idle();
});

test('listeners are woken after the commit, and not by a rollback', async () => {
  let woken = 0;
  const subscription = await database.listen('lintel_outbox', () => {
    woken += 1;
  });
  await expect(
    database.transaction(async (transaction) => {
      await transaction.appendEvents([event(1)]);
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await database.transaction((transaction) => transaction.appendEvents([event(2)]));
  await eventually(() => expect(woken).toBe(1));
  await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      database.transaction((transaction) => transaction.appendEvents([event(at + 3)])),
    ),
  );
  await eventually(() => expect(woken).toBeGreaterThan(1));
  await subscription.close();
});

test('a statement of an ended transaction is refused', async () => {
  let kept: Transaction | undefined;
  await database.transaction(async (transaction) => {
    kept = transaction;
  });
  await expect(kept?.query(insert(1))).rejects.toThrow('The transaction has ended');
});

test('statements sent together run in the order they were given', async () => {
  const rows = await database.transaction(async (transaction) => {
    const sent = [1, 2, 3, 4, 5].map((id) => transaction.query(insert(id)));
    const read = transaction.query({ text: 'SELECT count(*)::int AS count FROM account', values: [] });
    await Promise.all(sent);
    return read;
  });
  expect(rows).toEqual([{ count: 5 }]);
});

test('an abort cancels the running statement and rolls back', async () => {
  const patient = createDatabase({
    url: server.url,
    maxConnections: 1,
    statementTimeoutMs: 120_000,
    applicationName: 'patient',
  });
  const abort = new AbortController();
  const work = async (transaction: Transaction): Promise<void> => {
    await transaction.query(insert(1));
    await transaction.query({ text: 'SELECT pg_sleep(110)', values: [] });
  };
  const running = patient.transaction(work, abort.signal);
  setTimeout(() => abort.abort(), 100);
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  expect(await accounts()).toEqual([]);
  await eventually(() => expect(patient.metrics()).toMatchObject({ total: 1, idle: 1, waiting: 0 }));
  await patient.close();
});

test('an abort right at the start never lets a statement out of the transaction', async () => {
  for (let round = 0; round < 60; round += 1) {
    const abort = new AbortController();
    const running = database
      .transaction(async (transaction) => {
        await transaction.query(insert(1_000 + round));
        throw new Error('always rolled back');
      }, abort.signal)
      .catch(() => {});
    if (round % 3 === 0) setImmediate(() => abort.abort());
    else setTimeout(() => abort.abort(), round % 3);
    await running;
  }
  expect(await accounts()).toEqual([]);
});

test('of two transactions in a deadlock one gets an error that can be retried', async () => {
  await server.query(`INSERT INTO account VALUES (1, 0), (2, 0)`);
  const touch = (id: number) => ({ text: 'UPDATE account SET amount = amount + 1 WHERE id = $1', values: [id] });
  let arrived = 0;
  const meet = Promise.withResolvers<void>();
  const move = (from: number, to: number) =>
    database.transaction(async (transaction) => {
      await transaction.query(touch(from));
      arrived += 1;
      if (arrived === 2) meet.resolve();
      await meet.promise;
      await transaction.query(touch(to));
    });
  const outcomes = await Promise.allSettled([move(1, 2), move(2, 1)]);
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(failed).toHaveLength(1);
  expect(failed[0]?.reason).toMatchObject({
    code: 'DATA_UNAVAILABLE',
    retryable: true,
    database: { sqlState: '40P01' },
  });
});
