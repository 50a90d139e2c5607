import { type RunningMetrics, runInTrace, startMetrics, traceOfRequest } from '@lintel/telemetry';
import { createTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { createDatabase } from '../connection/create-database.ts';
import type { Database } from '../database.ts';
import type { SlowQueryOptions } from './slow-queries.ts';

const SECRET = 'Ada Lovelace';

let server: TestDatabase;
let running: RunningMetrics;
let database: Database | undefined;
const lines: { readonly message: string; readonly fields: Record<string, unknown> }[] = [];

beforeAll(async () => {
  server = await createTestDatabase('persistence');
  await server.query('CREATE TABLE person (name text PRIMARY KEY)');
  running = await startMetrics('lintel-probe');
});
afterEach(async () => {
  await database?.close();
  lines.length = 0;
});
afterAll(async () => {
  await running.close();
  await server.drop();
});

function connect(slowQueries: SlowQueryOptions): Database {
  database = createDatabase({
    url: server.url,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'probe',
    logger: {
      info: () => {},
      warn: (fields, message) => void lines.push({ fields: fields as Record<string, unknown>, message }),
    },
    metrics: running.metrics,
    slowQueries,
  });
  return database;
}

const ALL_ARE_SLOW = { thresholdMs: 0.001, plan: false, planIntervalMs: 60_000 };
const FIND = { name: 'find_person', text: 'SELECT name FROM person WHERE name = $1', values: [SECRET] };

test('slow statements are logged, with name, text, duration and trace, and never with values', async () => {
  const trace = traceOfRequest(undefined);
  const slow = connect(ALL_ARE_SLOW);
  // The connection is made for another request.
  await runInTrace(traceOfRequest(undefined), () => slow.query(FIND));
  lines.length = 0;
  await runInTrace(trace, () => slow.query(FIND));
  expect(lines).toEqual([
    {
      message: 'slow statement',
      fields: {
        pool: 'probe',
        statement: 'find_person',
        text: FIND.text,
        durationMs: expect.any(Number),
        traceId: trace.traceId,
      },
    },
  ]);
});

test('statements of transactions, batches of cursors and failures are logged as well', async () => {
  const slow = connect(ALL_ARE_SLOW);
  await slow.transaction(async (transaction) => void (await transaction.query(FIND)));
  for await (const _ of slow.stream(FIND, { batchSize: 10 }));
  await expect(slow.query({ text: 'SELECT $1::int', values: [SECRET] })).rejects.toThrow();
  expect(lines.map(({ fields }) => fields['statement'])).toEqual(['find_person', 'find_person', null]);
  expect(JSON.stringify(lines)).not.toContain(SECRET);
});

test('others are not, and none where the threshold is 0', async () => {
  await connect({ ...ALL_ARE_SLOW, thresholdMs: 60_000 }).query(FIND);
  await database?.close();
  await connect({ ...ALL_ARE_SLOW, thresholdMs: 0 }).query(FIND);
  expect(lines).toEqual([]);
});

test('on demand the plan is logged, without values and at most once per interval', async () => {
  const slow = connect({ ...ALL_ARE_SLOW, plan: true });
  for (let time = 0; time < 3; time += 1) await slow.query(FIND);
  await slow.query({ text: 'INSERT INTO person VALUES ($1)', values: [SECRET] });
  const plans = () => lines.filter(({ message }) => message === 'plan of a slow statement');
  await eventually(() => expect(plans()).toHaveLength(2));
  expect(plans()[0]?.fields['plan']).toMatch(/(Index|Bitmap|Seq).*Scan[\s\S]*\(?name = \$1\)?/);
  expect(plans()[1]?.fields['plan']).toContain('Insert on person');
  expect(JSON.stringify(lines)).not.toContain(SECRET);
  expect(await server.query('SELECT count(*)::int AS rows FROM person')).toEqual([{ rows: 1 }]);
});

test('statements without a plan are not explained, and a failed explanation is logged', async () => {
  const slow = connect({ ...ALL_ARE_SLOW, plan: true });
  await slow.query({ text: 'SET LOCAL work_mem = 1024', values: [] });
  await slow.query({ text: 'SELECT 1 WHERE $1::text IS NULL', values: [SECRET] });
  await eventually(() => expect(lines.map(({ message }) => message)).toContain('plan of a slow statement'));
  expect(lines.filter(({ message }) => message !== 'slow statement')).toHaveLength(1);
});

test('statements and connections are counted by pool', async () => {
  await connect(ALL_ARE_SLOW).query(FIND);
  const text = await running.render();
  const statement =
    /^db_client_operation_duration_seconds_count\{db_client_connection_pool_name="probe",db_system_name="postgresql",db_namespace="\w+",.*db_operation_name="SELECT"/m
      .source;
  expect(text).toMatch(new RegExp(`${statement}\\} [1-9]`, 'm'));
  expect(text).toMatch(new RegExp(`${statement},db_response_status_code="(\\w{5})",error_type="\\1"\\} 1$`, 'm'));
  expect(text).toMatch(/^lintel_db_slow_statements_total\{pool="probe"\} [1-9]/m);
  expect(text).toMatch(/^db_client_connection_limit\{db_client_connection_pool_name="probe"\} 2$/m);
  expect(text).toMatch(
    /^db_client_connection_count\{db_client_connection_pool_name="probe",db_client_connection_state="idle"\} 1$/m,
  );
});
