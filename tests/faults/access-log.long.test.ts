import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '@lintel/testkit';
import { createGatewayCaller } from './gateway-caller.ts';
import { startServiceProcesses } from './service-processes.ts';

const database = await createTestDatabase('access_log');
const { services, dispose } = await startServiceProcesses(['auth', 'data', 'gateway'], {
  SVC_DATASOURCE_URL: database.url,
  SVC_SHUTDOWN_DELAY: '0ms',
});
const { data, gateway } = services;
const token = await createGatewayCaller(gateway.url).tokenOf('client', 'admin');
afterAll(async () => {
  await dispose();
  await database.drop();
});

const PARTIES = `${gateway.url}/rest/entities/sales_Person`;
const authorization = `Bearer ${token}`;
const made = await fetch(PARTIES, { method: 'POST', headers: { authorization }, body: '{"name":"Ada"}' });
const { id } = (await made.json()) as { readonly id: string };

/** A response that the reader has received. */
interface Received {
  readonly trace: string;
  readonly status: number;
  readonly text: string;
  readonly atMs: number;
}

const isRead = ({ status }: Received): boolean => status === 200;

/** Reads the instance by several callers, until `act` is over; each request has its own trace. */
async function readDuring(
  act: (read: (count: number) => Promise<void>) => Promise<unknown>,
): Promise<readonly Received[]> {
  const received: Received[] = [];
  let isOver = false;
  const read = async (count: number): Promise<void> => {
    while (received.filter(isRead).length < count) await sleep(20);
  };
  const reader = async (): Promise<void> => {
    while (!isOver) {
      const trace = randomBytes(16).toString('hex');
      const headers = { authorization, traceparent: `00-${trace}-${trace.slice(16)}-00` };
      try {
        const response = await fetch(`${PARTIES}/${id}`, { headers });
        const text = await response.text();
        received.push({ trace, status: response.status, text, atMs: performance.now() });
      } catch {
        // The process is gone.
        await sleep(20);
      }
    }
  };
  const readers = Array.from({ length: 8 }, reader);
  await act(read);
  isOver = true;
  await Promise.all(readers);
  return received;
}

/** The traces of successful responses that are not in the log. */
async function missingOf(received: readonly Received[]): Promise<readonly Received[]> {
  const rows = await database.query('SELECT trace_id FROM history.access');
  const stored = new Set(rows.map(({ trace_id: trace }) => trace));
  return received.filter((each) => isRead(each) && !stored.has(each.trace));
}

const SECOND_MS = 1_000;

// Asserts contract/access-log.md#written.
describe('of the reads of an entity with an access log', () => {
  test('none is lost at an orderly end under load', async () => {
    const received = await readDuring((read) => read(100).then(() => data.stop()));
    await data.start();
    expect(await missingOf(received)).toEqual([]);
  });

  test('the reads of the last second are lost at most, when the process is killed', async () => {
    const received = await readDuring(async (read) => {
      await read(100);
      await sleep(2 * SECOND_MS);
      await data.kill();
    });
    await data.start();
    const lastMs = Math.max(...received.filter(isRead).map(({ atMs }) => atMs));
    const missing = await missingOf(received);
    expect(missing.filter(({ atMs }) => atMs < lastMs - SECOND_MS)).toEqual([]);
  });

  test('none is answered without an entry while the log cannot be written: they wait, and then return 503', async () => {
    const lockedMs = performance.now();
    const lock = database.query(
      'BEGIN; LOCK TABLE history.access IN EXCLUSIVE MODE; SELECT pg_sleep(20); COMMIT; SELECT 1',
    );
    const received = await readDuring(() => lock.then(() => sleep(3 * SECOND_MS)));
    const during = received.filter(({ atMs }) => atMs > lockedMs + 3 * SECOND_MS && atMs < lockedMs + 19 * SECOND_MS);
    expect(during.length).toBeGreaterThan(0);
    expect([...new Set(during.map(({ status }) => status))]).toEqual([503]);
    expect(during[0]?.text).toContain('The access log cannot be written');
    expect(received.at(-1)?.status).toBe(200);
    await sleep(SECOND_MS);
    expect(await missingOf(received)).toEqual([]);
  });
});
