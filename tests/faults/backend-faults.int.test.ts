import { connect } from 'node:net';
import { eventually, holdTransaction } from '@lintel/testkit';
import { faultDurationsMs, IS_LONG } from './fault-length.ts';
import { createGatewayCaller } from './gateway-caller.ts';
import { startLoad } from './load/start-load.ts';
import { type Fault, type FaultReport, proveThrough, statusesOf } from './prove-through.ts';
import { startFaultSystem } from './system/fault-system.ts';

/** What a request waits at most for a connection of the pool, with room for a busy machine. */
const ACQUIRE_MS = 5_000 + 2_500;
/** Longer than that wait, and shorter than a statement may wait for a lock. */
const EXHAUSTION_MS = 7_000;
/** Two heartbeats are missed by then, on a machine that stands still now and then, too. */
const NOTICED_MS = 60_000;
const MORE_THAN_THE_POOL = 30;

const system = await startFaultSystem();
const { postgres, redis, broker, wires } = system;
afterAll(() => system.dispose());

/** Makes the fault, in the long form again and again; returns what callers saw in all of them. */
async function prove(fault: Omit<Fault, 'durationMs'>): Promise<readonly FaultReport[]> {
  const reports: FaultReport[] = [];
  for (const durationMs of faultDurationsMs()) reports.push(await proveThrough(system, { ...fault, durationMs }));
  return reports;
}

/** One command without a client of its own. */
const runRedisCommand = (command: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(redis.url).port), '127.0.0.1', () => socket.write(`${command}\r\n`));
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });

describe('the checker', () => {
  test('accepts a system without faults, and finds each violation of a promise', async () => {
    const load = startLoad(system);
    const living = (): Promise<readonly { readonly id: string; readonly name: string }[]> =>
      postgres.query(
        'SELECT id, name FROM sales.customer WHERE starts_with(name, $1) AND deleted_date IS NULL ORDER BY name',
        [load.prefix],
      );
    try {
      // Some of them may yet be deleted.
      await eventually(async () => expect((await living()).length).toBeGreaterThan(12));
    } finally {
      await load.stop();
    }
    expect(await load.check()).toEqual([]);

    const rows = await living();
    const [lost, changed, doubled, untold] = rows.map(({ id }) => id);
    const nameOf = (id: string | undefined): string => rows.find((row) => row.id === id)?.name ?? '';
    await postgres.query('DELETE FROM sales.customer WHERE id = $1', [lost]);
    await postgres.query('UPDATE sales.customer SET version = version + 1 WHERE id = $1', [changed]);
    await postgres.query(
      'INSERT INTO sales.customer (id, version, name) SELECT gen_random_uuid(), 1, name FROM sales.customer WHERE id = $1',
      [doubled],
    );
    await postgres.query(
      `INSERT INTO events.outbox (id, type, subject, envelope, published_at)
       SELECT gen_random_uuid(), type, subject, jsonb_set(envelope::jsonb, '{id}', '"untold"'), now() FROM events.outbox
       WHERE envelope #>> '{data,id}' = $1 LIMIT 1`,
      [untold],
    );
    const complaints = await load.check(0);
    for (const expected of [
      `${nameOf(lost)} was acknowledged and is not stored`,
      `${nameOf(doubled)} is stored twice`,
      expect.stringMatching(`^${nameOf(changed)} is stored with version`),
      expect.stringMatching(`events of ${nameOf(untold)} instead of`),
    ])
      expect(complaints).toContainEqual(expected);
  });
});

describe('the broker', () => {
  test('goes down and comes back: no request is refused, and the events follow', async () => {
    const reports = await prove({ name: 'broker down', begin: () => broker.kill(), end: () => broker.start() });
    expect(statusesOf(reports)).toEqual([]);
  }, 600_000);

  test('has a network that loses all packets: no request is refused, and the events follow', async () => {
    let connections = 0;
    const reports = await prove({
      name: 'broker partitioned',
      begin: () => {
        connections = wires.broker.connectionCount();
        wires.broker.freeze();
      },
      // A service that has noticed connects again, and waits there, too.
      meanwhile: () =>
        eventually(() => expect(wires.broker.connectionCount()).toBeGreaterThan(connections), {
          timeoutMs: NOTICED_MS,
        }),
      end: () => wires.broker.restore(),
    });
    expect(statusesOf(reports)).toEqual([]);
  }, 600_000);
});

describe('Redis', () => {
  test('goes down and comes back with its sessions: only logins are refused meanwhile', async () => {
    const reports = await prove({
      name: 'redis down',
      begin: () => wires.redis.block(),
      end: () => wires.redis.restore(),
    });
    expect(['503']).toEqual(expect.arrayContaining([...statusesOf(reports)]));
  }, 600_000);

  test('loses everything, and nothing is cached: who learns that the session is gone logs in again', async () => {
    const reports = await prove({
      name: 'redis flushed',
      begin: async () => {
        await runRedisCommand('FLUSHALL');
        // A service that has lost the broker drops its caches.
        wires.broker.cutConnections();
      },
      end: () => undefined,
    });
    expect(['401']).toEqual(expect.arrayContaining([...statusesOf(reports)]));
  }, 600_000);

  test('crashes and comes back empty: a refusal has the status 503, then 401 until the next login', async () => {
    const reports = await prove({ name: 'redis crash', begin: () => redis.kill(), end: () => redis.start() });
    expect(['401', '503']).toEqual(expect.arrayContaining([...statusesOf(reports)]));
  }, 600_000);
});

describe('PostgreSQL', () => {
  test('has a network that swallows everything for a while: callers wait, and nothing is lost', async () => {
    const reports = await prove({
      name: 'postgres partitioned',
      begin: () => wires.postgres.freeze(),
      end: () => wires.postgres.restore(),
    });
    expect(['503']).toEqual(expect.arrayContaining([...statusesOf(reports)]));
  }, 600_000);

  test('is restarted: callers get 503 until it is back', async () => {
    const reports = await prove({
      name: 'postgres restart',
      begin: () => postgres.stop(),
      end: () => postgres.start(),
    });
    expect(['503']).toEqual(expect.arrayContaining([...statusesOf(reports)]));
  }, 600_000);

  test('crashes and recovers: callers get 503 until it is back', async () => {
    const reports = await prove({ name: 'postgres crash', begin: () => postgres.kill(), end: () => postgres.start() });
    expect(['503']).toEqual(expect.arrayContaining([...statusesOf(reports)]));
  }, 600_000);

  test.each(IS_LONG ? ['silent', 'cut'] : ['silent'])(
    'dies, and its replica takes over, connections %s: reads go on as soon as the address leads there, writes when it is promoted',
    async (wire) => {
      for (const durationMs of faultDurationsMs()) {
        await postgres.addStandby();
        const report = await proveThrough(system, {
          name: `postgres failover, connections ${wire}`,
          durationMs,
          begin: async () => {
            // A host that is switched off says nothing to those that are connected.
            if (wire === 'silent') wires.postgres.abandonConnections();
            await postgres.kill();
            wires.postgres.retarget({ port: postgres.standbyPort });
            wires.postgres.cutConnections();
          },
          end: () => postgres.promoteStandby(),
        });
        expect(['503']).toEqual(expect.arrayContaining([...statusesOf([report])]));
      }
    },
    600_000,
  );

  test('has a locked table: requests that find no connection are refused in time', async () => {
    const { tokenOf } = createGatewayCaller(system.url);
    const headers = { authorization: `Bearer ${await tokenOf('client', 'admin')}` };
    const ask = async (): Promise<number> => {
      const response = await fetch(`${system.url}/rest/entities/sales_ProductTag?limit=1`, { headers });
      await response.arrayBuffer();
      return response.status;
    };
    let lock: Awaited<ReturnType<typeof holdTransaction>> | undefined;
    let waiting: Promise<readonly number[]> = Promise.resolve([]);
    const report = await proveThrough(system, {
      name: 'pool exhausted',
      durationMs: EXHAUSTION_MS,
      begin: async () => {
        lock = await holdTransaction(postgres.url, 'LOCK TABLE sales.product_tag');
        waiting = Promise.all(Array.from({ length: MORE_THAN_THE_POOL }, ask));
      },
      end: () => lock?.release(),
    });
    expect(['503']).toEqual(expect.arrayContaining([...statusesOf([report])]));
    // Those that had a connection got their response when the lock was gone.
    expect([200, 503]).toEqual(expect.arrayContaining([...new Set(await waiting)]));
    // The load needs nothing that is locked, only a connection.
    expect(report.longestRefusalMs).toBeLessThan(ACQUIRE_MS / Math.min(1, 2 * report.pace) + report.standstillMs);
  }, 600_000);
});
