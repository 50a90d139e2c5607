import { createDatabase, type Database } from '@lintel/persistence';
import { eventually } from '@lintel/testkit';
import { type DataFixture, startData } from '../../data-fixture.ts';
import { SEEN, shop } from '../../shop-application.ts';

let data: DataFixture;
/** Another client of the same tables. */
let other: Database;

beforeAll(async () => {
  data = await startData(shop, { admin: { resourceRoles: ['system-full-access'] } }, { 'retries.delayMs': 5 });
  other = createDatabase({
    url: data.databaseUrl,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'other',
  });
  // The name `collide <SQLSTATE> <n>` fails n times; a sequence counts, since it is independent of transactions.
  await data.query('CREATE SEQUENCE collisions');
  await data.query(`CREATE FUNCTION collide() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.name LIKE 'collide %' AND nextval('collisions') <= split_part(NEW.name, ' ', 3)::int THEN
        RAISE EXCEPTION 'on purpose' USING ERRCODE = split_part(NEW.name, ' ', 2);
      END IF;
      RETURN NEW;
    END $$`);
  await data.query(
    'CREATE TRIGGER collide BEFORE INSERT OR UPDATE ON t.category FOR EACH ROW EXECUTE FUNCTION collide()',
  );
});
afterAll(async () => {
  await other?.close();
  await data?.close();
});
beforeEach(() => data.query('ALTER SEQUENCE collisions RESTART'));

const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  data.send('admin', method, `/entities/${path}`, body, headers);
let number = 0;
async function newOrder(): Promise<{ readonly id: string; readonly line: string }> {
  number += 1;
  const customer = await send('POST', 't_Customer', { name: 'x' });
  const plan = encodeURIComponent(
    JSON.stringify({ entity: 't_Order', properties: [{ name: 'lines', fetchPlan: { properties: ['quantity'] } }] }),
  );
  const response = await send('POST', `t_Order?responseFetchPlan=${plan}`, {
    number: `R${number}`,
    customer: { id: customer.json().id },
    lines: [{ quantity: 1 }],
  });
  expect(response.status).toBe(201);
  const { id, lines } = response.json();
  return { id, line: lines[0].id };
}

/**
 * The order and the line of a write that ran into a deadlock and was aborted. The timers of the database decide which
 * transaction it aborts: on a busy machine it may be the other one; then the test tries again.
 */
async function meetDeadlock(): Promise<{ readonly id: string; readonly line: string }> {
  const { id, line } = await newOrder();
  let response: ReturnType<typeof send> | undefined;
  const otherTransaction = other.transaction(async (transaction) => {
    await transaction.query({ text: 'SELECT 1 FROM t."order" WHERE id = $1 FOR UPDATE', values: [id] });
    // Locks the line, then waits for its order.
    response = send('PUT', `t_Line/${line}`, { quantity: 5 });
    await eventually(async () => {
      const waiting = await data.query(
        `SELECT 1 FROM pg_stat_activity WHERE application_name = 'data-test' AND wait_event_type = 'Lock'
           AND datname = current_database()`,
      );
      expect(waiting).toHaveLength(1);
    });
    // Now each waits for the other. The one that has waited longer checks first, finds the cycle and is aborted.
    await transaction.query({ text: 'UPDATE t.line SET position = 9 WHERE id = $1', values: [line] });
  });
  const isOtherAborted = await otherTransaction.then(
    () => false,
    (error: unknown) => {
      expect(String((error as Error).cause)).toContain('deadlock');
      return true;
    },
  );
  expect((await response)?.status).toBe(200);
  return isOtherAborted ? meetDeadlock() : { id, line };
}

// Asserts contract/writing.md#concurrency.
test('a write that runs into a deadlock is retried from a clean state and succeeds', async () => {
  const { id, line } = await meetDeadlock();
  const [stored] = await data.query('SELECT quantity, position, version FROM t.line WHERE id = $1', [line]);
  // The other change is not lost, and the version was incremented once.
  expect(stored).toEqual({ quantity: '5.00', position: 9, version: 2 });
  const [order] = await data.query<{ version: number }>('SELECT version FROM t."order" WHERE id = $1', [id]);
  expect(order?.version).toBe(2);
});

test('two clients that change a child and its root at the same time cause many deadlocks, and all changes succeed', async () => {
  const { id, line } = await newOrder();
  const writes = Array.from({ length: 4 }, (_, at) =>
    at % 2 === 0
      ? send('PUT', `t_Line/${line}`, { position: at })
      : send('PUT', `t_Order/${id}`, { notes: `n${at}`, lines: [{ id: line, quantity: at }] }),
  );
  expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(Array(4).fill(200));
});

test.each(['40P01', '40001'])('%s is retried up to the limit, with one event at the end', async (state) => {
  const events = () => data.query('SELECT 1 FROM events.outbox');
  const before = (await events()).length;
  const response = await send('POST', 't_Category', { code: `R${state}`, name: `collide ${state} 4` });
  expect(response.status).toBe(201);
  expect((await events()).length).toBe(before + 1);
});

test('listeners run again for each attempt, and writes of earlier attempts are rolled back', async () => {
  const { id } = await newOrder();
  await data.query(`CREATE FUNCTION collide_order() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.total = 7 AND nextval('collisions') <= 2 THEN
        RAISE EXCEPTION 'on purpose' USING ERRCODE = '40P01';
      END IF;
      RETURN NEW;
    END $$`);
  await data.query('CREATE TRIGGER collide AFTER UPDATE ON t."order" FOR EACH ROW EXECUTE FUNCTION collide_order()');
  SEEN.length = 0;
  const response = await send('PUT', `t_Order/${id}`, { notes: 'tidy me', lines: [{ quantity: 7 }] });
  await data.query('DROP TRIGGER collide ON t."order"');
  expect(response.status).toBe(200);
  const attempt = ['beforeSave updated', 'afterSave updated', 'beforeSave updated'];
  expect(SEEN).toEqual([...attempt, ...attempt, ...attempt, 'afterSave updated']);
  const [row] = await data.query('SELECT notes, total, version FROM t."order" WHERE id = $1', [id]);
  expect(row).toEqual({ notes: 'tidied', total: '7.00', version: 2 });
  const lines = await data.query('SELECT 1 FROM t.line WHERE order_id = $1', [id]);
  expect(lines).toHaveLength(1);
});

test.each(['40P01', '40001'])(
  '%s in all attempts returns 503 with Retry-After, and nothing is changed',
  async (state) => {
    const key = { 'Idempotency-Key': `collided ${state}`.replace(' ', '-') };
    const body = { code: `E${state}`, name: `collide ${state} 5` };
    const before = await data.query('SELECT 1 FROM events.outbox');
    const response = await send('POST', 't_Category', body, key);
    expect([response.status, response.headers.get('retry-after'), response.json()]).toEqual([
      503,
      '1',
      { error: 'Service unavailable', details: 'The change collided with concurrent ones; send it again' },
    ]);
    expect(await data.query('SELECT 1 FROM t.category WHERE code = $1', [`E${state}`])).toEqual([]);
    expect(await data.query('SELECT 1 FROM events.outbox')).toHaveLength(before.length);
    // The key was not used: if the request is sent again, it is executed.
    const again = await send('POST', 't_Category', body, key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
  },
);

test('other errors of the database are not retried', async () => {
  const response = await send('POST', 't_Category', { code: 'ONCE', name: 'collide 22001 1' });
  expect(response.status).toBe(400);
  const [row] = await data.query<{ last: string }>('SELECT last_value AS last FROM collisions');
  expect(Number(row?.last)).toBe(1);
});
