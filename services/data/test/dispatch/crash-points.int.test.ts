import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { FORWARDING_PROOF_HEADER, forwardingProofOf } from '@lintel/http';
import { eventually, holdTransaction } from '@lintel/testkit';
import { type ApplicationName, createBackends, createOrder, type Send } from './two-applications.ts';

const PATIENT = { timeoutMs: 60_000 };

interface Step {
  readonly what: string;
  readonly of: ApplicationName;
  /** The trigger at which the process waits until it is killed: after `BEFORE`. */
  readonly trigger: string;
}

const PUBLISHED = `UPDATE OF published_at ON events.outbox FOR EACH ROW WHEN (NEW.type NOT LIKE 'data.%') EXECUTE FUNCTION wait`;
const EXCHANGED = `UPDATE ON events.handler FOR EACH ROW WHEN (NEW.name = 'lintel/exchange') EXECUTE FUNCTION wait_exchange`;
const RECEIVED = 'INSERT ON events.received FOR EACH ROW EXECUTE FUNCTION wait';

/** Steps of an order that is refused, and whose confirmation is taken back, in their order. */
const STEPS: readonly Step[] = [
  { what: 'an order is confirmed, its event not published', of: 'sales', trigger: PUBLISHED },
  { what: 'the event is at the broker, the position not moved', of: 'sales', trigger: EXCHANGED },
  { what: 'the event is delivered, not stored', of: 'dispatch', trigger: RECEIVED },
  {
    what: 'the handler has written, not committed',
    of: 'dispatch',
    trigger: 'INSERT ON dispatch.shipment FOR EACH ROW EXECUTE FUNCTION wait',
  },
  { what: 'the handler is done, its event not published', of: 'dispatch', trigger: PUBLISHED },
  { what: 'its event is at the broker, the position not moved', of: 'dispatch', trigger: EXCHANGED },
  { what: 'its event is delivered, not stored', of: 'sales', trigger: RECEIVED },
  {
    what: 'the confirmation is taken back, not committed',
    of: 'sales',
    trigger: 'UPDATE ON sales."order" FOR EACH ROW WHEN (NEW.status = 10) EXECUTE FUNCTION wait',
  },
];

/** A trigger waits for a lock of the test, which ends the wait. */
const FUNCTIONS = `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_advisory_xact_lock_shared(TG_ARGV[0]::bigint); RETURN NEW; END $$;
CREATE FUNCTION wait_exchange() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM events.outbox WHERE type NOT LIKE 'data.%'
    AND published_position > OLD.position AND published_position <= NEW.position)
  THEN PERFORM pg_advisory_xact_lock_shared(TG_ARGV[0]::bigint); END IF;
  RETURN NEW;
END $$`;

const backends = await createBackends('crash');
const running = new Map<ApplicationName, { readonly process: ChildProcess; readonly url: string }>();
const held: { release(): Promise<void> }[] = [];
afterAll(async () => {
  for (const { process } of running.values()) process.kill('SIGKILL');
  await Promise.all(held.map((lock) => lock.release()));
  await backends.drop();
});

async function start(name: ApplicationName): Promise<void> {
  const started = fork(
    fileURLToPath(new URL('./application-process.ts', import.meta.url)),
    [name, backends.databases[name].url, backends.vhost.url],
    { execArgv: ['--conditions=lintel-source', '--import', '@lintel/testkit/decorators'] },
  );
  const [url] = await once(started, 'message');
  running.set(name, { process: started, url: String(url) });
}

const send: Send = async (method, path, body, status = 200) => {
  const response = await fetch(`${running.get('sales')?.url}/rest${path}`, {
    method,
    headers: { authorization: 'Bearer admin', [FORWARDING_PROOF_HEADER]: forwardingProofOf('x') },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect([response.status, text]).toEqual([status, expect.any(String)]);
  return JSON.parse(text);
};

async function killAt({ what, of }: Step, step: number): Promise<void> {
  const database = backends.databases[of];
  const waiting = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = ${step} AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  await eventually(
    async () => expect([what, await database.query(waiting)]).toEqual([what, [expect.anything()]]),
    PATIENT,
  );
  const { process } = running.get(of) ?? {};
  if (process === undefined) throw new Error(`${of} does not run`);
  const exited = once(process, 'exit');
  process.kill('SIGKILL');
  await exited;
  // The server notices only later that the client is gone.
  await database.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS waiting`);
  await held[step]?.release();
  await start(of);
}

// Asserts contract/events.md#other-applications.
test('whichever process is killed at whichever step, each event has its effect once', async () => {
  for (const database of Object.values(backends.databases)) await database.query(FUNCTIONS);
  for (const [step, { of, trigger }] of STEPS.entries()) {
    const { url, query } = backends.databases[of];
    await query(`CREATE TRIGGER step_${step} BEFORE ${trigger}('${step}')`);
    held.push(await holdTransaction(url, `SELECT pg_advisory_xact_lock(${step})`));
  }
  await Promise.all([start('sales'), start('dispatch')]);
  const id = await createOrder(send, 'killed');
  await send('PUT', `/entities/sales_Order/${id}`, { status: 'CONFIRMED' });
  for (const [step, one] of STEPS.entries()) await killAt(one, step);

  const { sales, dispatch } = backends.databases;
  const publishedBy = (database: typeof sales, type: string, member: string) =>
    database.query(`SELECT envelope -> 'data' ->> '${member}' AS state FROM events.outbox
      WHERE type = '${type}' ORDER BY position`);
  const states = (...all: readonly string[]) => all.map((state) => ({ state }));
  await eventually(
    async () =>
      expect(await publishedBy(sales, 'dispatch.shipment-changed.v1', 'state')).toEqual(states('REFUSED', 'CANCELLED')),
    PATIENT,
  );
  expect(await publishedBy(dispatch, 'dispatch.shipment-changed.v1', 'state')).toEqual(states('REFUSED', 'CANCELLED'));
  expect(await publishedBy(sales, 'sales.order-status-changed.v1', 'status')).toEqual(states('CONFIRMED', 'NEW'));
  expect(await publishedBy(dispatch, 'sales.order-status-changed.v1', 'status')).toEqual(states('CONFIRMED', 'NEW'));
  expect(await sales.query(`SELECT status FROM sales."order"`)).toEqual([{ status: 10 }]);
  expect(await dispatch.query('SELECT state FROM dispatch.shipment')).toEqual([{ state: 'C' }]);
  for (const database of [sales, dispatch])
    expect(await database.query('SELECT FROM events.handler_retry')).toEqual([]);
}, 240_000);
