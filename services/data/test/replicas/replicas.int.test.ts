import { createReplicas, GREATEST_POSITION } from '@lintel/persistence';
import { eventually, testEnvironment } from '@lintel/testkit';
import { type ReplicatedData, type ReplicatedSystem, startReplicated, WAIT } from '../replicated-data.ts';
import { shop } from '../shop-application.ts';

const CUSTOMER = '00000000-0000-4000-8000-000000000001';
const quiet = { info() {}, warn() {} };

// Starts its own PostgreSQL servers.
let system: ReplicatedSystem;
/** Two data services: a request may be routed to either. */
let one: ReplicatedData;
let other: ReplicatedData;

beforeAll(async () => {
  system = await startReplicated(shop, {
    ada: { resourceRoles: ['system-full-access'] },
    ben: { resourceRoles: ['system-full-access'] },
    cy: { resourceRoles: ['system-full-access'] },
    dee: { resourceRoles: ['system-full-access'] },
    guest: { resourceRoles: ['system-full-access'], kind: 'anonymous' },
  });
  await system.postgres.query(`INSERT INTO t.customer (id, version, name, email, address_city)
    VALUES ('${CUSTOMER}', 1, 'Anna', 'a@example.com', 'Ulm')`);
  one = await system.startService();
  other = await system.startService();
}, 180_000);
afterAll(() => system?.dispose());

const count = (data: ReplicatedData, reason: string): number => data.counts.get(reason) ?? 0;
const tagsOf = async (data: ReplicatedData, user: string): Promise<readonly string[]> => {
  const { status, json } = await data.send(user, 'GET', '/entities/t_Tag?sort=name');
  expect(status).toBe(200);
  return json().map(({ name }: { readonly name: string }) => name);
};
const addTag = async (data: ReplicatedData, user: string, name: string): Promise<string> => {
  const { status, json } = await data.send(user, 'POST', '/entities/t_Tag', { name });
  expect(status).toBe(201);
  return json().id;
};
/** Waits until the replica has replayed everything, and both services know it. */
const caughtUp = async (): Promise<void> => {
  const names = await system.postgres.query<{ name: string }>('SELECT name FROM t.tag ORDER BY name');
  for (const data of [one, other])
    for (const user of ['ada', 'ben', 'cy'])
      await eventually(async () => {
        const before = count(data, 'replica');
        expect(await tagsOf(data, user)).toEqual(names.map(({ name }) => name));
        expect(count(data, 'replica')).toBe(before + 1);
      }, WAIT);
};

describe('while the replica replays nothing', () => {
  beforeAll(async () => {
    await caughtUp();
    await system.pause();
  });
  afterAll(async () => {
    await system.resume();
    await caughtUp();
  });

  test('a session reads its own writes, from each service and by each route', async () => {
    const id = await addTag(one, 'ada', 'blue');
    for (const data of [one, other]) {
      const before = count(data, 'own-write');
      expect(await tagsOf(data, 'ada')).toContain('blue');
      expect((await data.send('ada', 'GET', `/entities/t_Tag/${id}`)).status).toBe(200);
      const filter = encodeURIComponent(
        JSON.stringify({ conditions: [{ property: 'name', operator: '=', value: 'blue' }] }),
      );
      expect((await data.send('ada', 'GET', `/entities/t_Tag/search/count?filter=${filter}`)).text).toBe('1');
      expect((await data.send('ada', 'GET', '/queries/t_Tag/all')).text).toContain('blue');
      const list = await data.send('ada', 'GET', '/entities/t_Tag?returnCount=true');
      expect(list.headers.get('x-total-count')).toBe(String(list.json().length));
      expect(count(data, 'own-write')).toBe(before + 5);
    }
  });

  test('another session reads from the replica, and does not see the write yet', async () => {
    const before = count(other, 'replica');
    await addTag(one, 'ada', 'red');
    const list = await other.send('ben', 'GET', '/entities/t_Tag?returnCount=true');
    expect([list.text.includes('red'), list.headers.get('x-total-count')]).toEqual([false, String(list.json().length)]);
    expect(count(other, 'replica')).toBe(before + 1);
  });

  test('an instance that the replica does not have yet is read from the primary', async () => {
    const id = await addTag(one, 'ada', 'green');
    const before = count(other, 'missing');
    expect((await other.send('ben', 'GET', `/entities/t_Tag/${id}`)).json().name).toBe('green');
    expect((await other.send('ben', 'GET', `/entities/t_Tag/${crypto.randomUUID()}`)).status).toBe(404);
    expect(count(other, 'missing')).toBe(before + 2);
  });

  test('a session whose write was refused because of a concurrent change then reads that change', async () => {
    const path = `/entities/t_Customer/${CUSTOMER}`;
    const tag = (await one.send('ben', 'GET', path)).headers.get('etag') ?? '';
    expect((await one.send('ada', 'PUT', path, { name: 'Berta' })).status).toBe(200);
    expect((await other.send('ben', 'GET', path)).json().name).toBe('Anna');
    expect((await one.send('ben', 'PUT', path, { name: 'Clara' }, { 'if-match': tag })).status).toBe(412);
    expect((await other.send('ben', 'GET', path)).json().name).toBe('Berta');
  });

  test('a replayed idempotent request counts as a write of its session', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    await one.send('ada', 'POST', '/entities/t_Tag', { name: 'once' }, headers);
    const before = count(other, 'own-write');
    const again = await other.send('ada', 'POST', '/entities/t_Tag', { name: 'once' }, headers);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await tagsOf(other, 'ada')).toContain('once');
    expect(count(other, 'own-write')).toBe(before + 1);
  });

  test('after a write without changes the session still reads from the replica', async () => {
    expect((await one.send('dee', 'DELETE', '/entities/t_Tag', [])).status).toBe(204);
    const before = count(other, 'replica');
    await tagsOf(other, 'dee');
    expect(count(other, 'replica')).toBe(before + 1);
  });

  test('callers without a login share one session', async () => {
    await addTag(one, 'guest', 'anonymous');
    expect(await tagsOf(other, 'guest')).toContain('anonymous');
  });

  test('without a response of Redis a service reads from the primary', async () => {
    other.redisWire.block();
    const before = count(other, 'unsure');
    await addTag(one, 'cy', 'grey');
    expect(await tagsOf(other, 'dee')).toContain('grey');
    expect(count(other, 'unsure')).toBe(before + 1);
    other.redisWire.restore();
    // Redis may have lost its data after a restart.
    expect(await tagsOf(other, 'dee')).toContain('grey');
    expect(count(other, 'unsure')).toBe(before + 2);
    await other.trust();
    expect(await tagsOf(other, 'dee')).not.toContain('grey');
  });

  test('if the position of a write cannot be stored in Redis, the write is acknowledged when the replica has it', async () => {
    one.redisWire.block();
    const order: string[] = [];
    const writing = addTag(one, 'cy', 'brown').then(() => order.push('acknowledged'));
    await eventually(
      async () => expect(await system.postgres.query(`SELECT FROM t.tag WHERE name = 'brown'`)).toHaveLength(1),
      WAIT,
    );
    order.push('replayed');
    await system.resume();
    await writing;
    expect(order).toEqual(['replayed', 'acknowledged']);
    await system.pause();
    expect(await tagsOf(other, 'cy')).toContain('brown');
    one.redisWire.restore();
    await one.trust();
  });
});

test('a replica with too much lag is not used until it has caught up', async () => {
  const strict = await system.startService(1_000);
  await system.pause();
  await addTag(one, 'ada', 'late');
  await eventually(() => expect(strict.replicas.states()).toEqual([{ number: 1, problem: 'too far behind' }]), WAIT);
  expect(await tagsOf(strict, 'ben')).toContain('late');
  await system.resume();
  await eventually(() => expect(strict.replicas.states()).toEqual([{ number: 1, problem: undefined }]), WAIT);
});

test('a replica that does not respond is abandoned, and its pending reads are run on the primary', async () => {
  await caughtUp();
  const before = count(one, 'failed');
  one.replicaWire.freeze();
  expect(await tagsOf(one, 'ben')).toContain('blue');
  expect(count(one, 'failed')).toBe(before + 1);
  expect(await tagsOf(one, 'ben')).toContain('blue');
  expect(count(one, 'failed')).toBe(before + 1);
  one.replicaWire.restore();
  await caughtUp();
});

describe('a replica that fails in the middle of a read', () => {
  /** Reads are slow, but only on a replica. */
  const SLOW = 'CASE WHEN pg_is_in_recovery() THEN pg_sleep(600) IS NOT NULL ELSE true END';
  const isReading = () =>
    eventually(async () => {
      const text = `SELECT FROM pg_stat_activity WHERE application_name = 'replicated-replica-1' AND wait_event = 'PgSleep'`;
      expect(await system.postgres.queryStandby(text)).toHaveLength(1);
    }, WAIT);

  beforeAll(async () => {
    await system.postgres.query(`INSERT INTO t.warehouse (code, name) VALUES ('BER', 'Berlin')`);
    await system.postgres.query('ALTER TABLE t.warehouse RENAME TO warehouse_rows');
    await system.postgres.query(`CREATE VIEW t.warehouse AS SELECT * FROM t.warehouse_rows WHERE ${SLOW}`);
    await caughtUp();
    // The services' status of the replica is as recent as the view.
    await addTag(one, 'ben', 'after the view');
    await caughtUp();
  });

  const stockOf = async (query: string): Promise<number> => {
    const { status, json } = await one.send('ben', 'GET', `/entities/t_Warehouse${query}`);
    expect(status).toBe(200);
    return json().length;
  };

  test.each([
    ['a list', ''],
    ['a streamed list', '?limit=5000'],
  ])(
    'because replaying a change cancels %s: the primary runs it',
    async (_what, query) => {
      const before = count(one, 'failed');
      const reading = stockOf(query);
      await isReading();
      await system.postgres.query('BEGIN; LOCK TABLE t.warehouse_rows IN ACCESS EXCLUSIVE MODE; COMMIT');
      expect(await reading).toBe(1);
      expect(count(one, 'failed')).toBe(before + 1);
      expect(one.replicas.states()).toEqual([{ number: 1, problem: undefined }]);
    },
    120_000,
  );

  test('whose client disconnects: the statement is cancelled on the replica', async () => {
    const leaving = new AbortController();
    const reading = fetch(`${one.url}/rest/entities/t_Warehouse`, {
      headers: { authorization: 'Bearer ben' },
      signal: leaving.signal,
    });
    await isReading();
    leaving.abort();
    await expect(reading).rejects.toThrow();
    const text = `SELECT FROM pg_stat_activity WHERE application_name = 'replicated-replica-1' AND state = 'active'`;
    await eventually(async () => expect(await system.postgres.queryStandby(text)).toEqual([]), WAIT);
  });

  test('because it dies: the primary runs all reads, no request fails, and the replica is used again after its restart', async () => {
    const reading = stockOf('');
    await isReading();
    const killing = system.postgres.killStandby();
    expect(await reading).toBe(1);
    for (let read = 0; read < 20; read += 1) expect(await tagsOf(one, 'ben')).toContain('blue');
    await killing;
    await eventually(() => expect(one.replicas.states()).toEqual([{ number: 1, problem: 'away' }]), WAIT);
    expect(await one.service.readiness['replicas']?.()).toEqual({ degraded: 'replica 1 is away' });
    expect(await tagsOf(one, 'ben')).toContain('blue');
    await system.postgres.startStandby();
    await caughtUp();
    expect(await one.service.readiness['replicas']?.()).toBe(true);
  }, 180_000);
});

test('a server that is not a replica of the primary is not used', async () => {
  const stranger = createReplicas({
    primaryUrl: system.postgres.url,
    urls: [testEnvironment('LINTEL_TEST_POSTGRES_URL')],
    maxLagMs: 60_000,
    maxConnections: 1,
    statementTimeoutMs: 1_000,
    applicationName: 'stranger',
    logger: quiet,
  });
  await eventually(() => expect(stranger.states()).toEqual([{ number: 1, problem: 'not a replica' }]), WAIT);
  expect(stranger.canChoose()).toBe(false);
  await stranger.close();
});

test('closing the replicas ends pending waits without a log entry', async () => {
  const lines: unknown[] = [];
  const record = (fields: unknown) => void lines.push(fields);
  const closed = createReplicas({
    primaryUrl: system.postgres.url,
    urls: [system.postgres.standbyUrl],
    maxLagMs: 300_000,
    maxConnections: 1,
    statementTimeoutMs: 1_000,
    applicationName: 'closed',
    logger: { info: record, warn: record },
  });
  const settling = closed.settled(GREATEST_POSITION);
  await closed.close();
  await settling;
  expect(lines).toEqual([]);
});

test('a replica that refuses the login is logged with the reason, and without the password', async () => {
  const lines: unknown[] = [];
  const refused = createReplicas({
    primaryUrl: system.postgres.url,
    urls: [system.postgres.standbyUrl.replace(/\/\/.*@/, '//nobody:geheim@')],
    maxLagMs: 60_000,
    maxConnections: 1,
    statementTimeoutMs: 1_000,
    applicationName: 'refused',
    logger: { info() {}, warn: (fields) => void lines.push(fields) },
  });
  await eventually(() => expect(refused.states()).toEqual([{ number: 1, problem: 'away' }]), WAIT);
  await eventually(
    () =>
      expect(lines).toContainEqual(
        expect.objectContaining({ problem: 'away', err: expect.objectContaining({ code: '28P01' }) }),
      ),
    WAIT,
  );
  expect(JSON.stringify(lines)).not.toContain('geheim');
  await refused.close();
});

test('a replica that becomes the primary is not used as a replica any more', async () => {
  await system.postgres.queryStandby('SELECT pg_promote(true, 60)');
  await eventually(() => expect(one.replicas.states()).toEqual([{ number: 1, problem: 'not a replica' }]), WAIT);
  expect(await tagsOf(one, 'ben')).toContain('blue');
});
