import { randomUUID } from 'node:crypto';
import { createInProcessBus } from '@lintel/events';
import type { RunningServer } from '@lintel/http';
import { createDatabase, type Database } from '@lintel/persistence';
import { runMigrations } from '@lintel/schema';
import { createLogger } from '@lintel/telemetry';
import { cloneTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { PRODUCT_ID, SALES_ID, startReports } from '../../test/reports-fixture.ts';
import { createRunStore } from '../background/create-run-store.ts';
import type { DatasetClient } from '../datasets/dataset-client.ts';
import type { DocumentStore } from '../files/document-store.ts';
import type { ReportsPorts } from '../reports-ports.ts';
import { createExecutionHistory, type HistoryOptions } from './create-execution-history.ts';

let server: TestDatabase;
let database: Database;
const running: RunningServer[] = [];
const logger = createLogger({ service: 'reports', destination: { write: () => {} } });

/** Documents by reference, in memory. */
const kept = new Map<string, string>();
const documents: DocumentStore = {
  async store({ name, contentType, content }) {
    const pieces: Buffer[] = [];
    for await (const piece of content) pieces.push(Buffer.from(piece));
    const fileRef = `fs://${randomUUID()}?name=${name}`;
    const bytes = Buffer.concat(pieces);
    kept.set(fileRef, bytes.toString());
    return { fileRef, name, contentType, size: bytes.length };
  },
  async remove(fileRef) {
    kept.delete(fileRef);
  },
};
const historyOf = (options: Partial<HistoryOptions> = {}) =>
  createExecutionHistory({
    database,
    documents,
    newId: randomUUID,
    logger,
    savesDocuments: false,
    maxDays: 0,
    maxPerReport: 0,
    ...options,
  });

beforeAll(async () => {
  server = await cloneTestDatabase(
    { key: 'platform', build: (url) => runMigrations({ url, migrations: [] }) },
    'report_history',
  );
  database = createDatabase({
    url: server.url,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'report-history-test',
  });
});
afterEach(async () => {
  for (const each of running.splice(0)) await each.close();
  await server.query('DELETE FROM report.report_execution');
  kept.clear();
});
afterAll(async () => {
  await database?.close();
  await server?.drop();
});

async function start(options: Partial<HistoryOptions> = {}, more: Partial<ReportsPorts> = {}) {
  const reports = await startReports(() => {}, {
    history: historyOf(options),
    background: { store: createRunStore(database), bus: createInProcessBus({ logger }), documents },
    ...more,
  });
  running.push(reports);
  return (report: string, body: unknown, signal?: AbortSignal) =>
    fetch(`${reports.url}/rest/reports/run/${report}`, {
      method: 'POST',
      headers: { authorization: 'Bearer user' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
}
const SALES = {
  parameters: [
    { name: 'from', value: '2026-01-01' },
    { name: 'product', value: PRODUCT_ID },
    { name: 'products', values: [PRODUCT_ID] },
  ],
};
const executions = (columns: string) =>
  server.query<Record<string, unknown>>(`SELECT ${columns} FROM report.report_execution ORDER BY start_time, id`);

// Asserts contract/reports.md#history.
test('an execution is on record with its report, its caller, its parameters and its end', async () => {
  const run = await start();
  const response = await run(SALES_ID, SALES);
  expect(response.status).toBe(200);
  await response.text();
  await eventually(async () =>
    expect(
      await executions(
        'report_name, report_code, username, params, success, cancelled, error_message, output_document, finish_time >= start_time AS ended',
      ),
    ).toEqual([
      {
        report_name: 'Sales',
        report_code: 'sales',
        username: 'user',
        params: [
          'key: from, value: 2026-01-01',
          'key: grade, value: null',
          'key: least, value: 0',
          `key: product, value: x_Product-${PRODUCT_ID}`,
          `key: products, value: [x_Product-${PRODUCT_ID}]`,
          'key: secret, value: null',
        ].join('\n'),
        success: true,
        cancelled: false,
        error_message: null,
        output_document: null,
        ended: true,
      },
    ]),
  );
});

// Asserts contract/reports.md#history.
test('the error that the client receives is recorded, without its cause', async () => {
  const run = await start();
  const response = await run('code/failing', { template: 'only' });
  const { details } = (await response.json()) as { details: string };
  expect(response.status).toBe(500);
  await eventually(async () =>
    expect(await executions('success, cancelled, error_message')).toEqual([
      { success: false, cancelled: false, error_message: details },
    ]),
  );
});

test('a request that is refused begins no execution', async () => {
  const run = await start();
  expect((await run(SALES_ID, { parameters: [{ name: 'from', value: 'soon' }] })).status).toBe(400);
  expect(await executions('id')).toEqual([]);
});

// Asserts contract/reports.md#history.
test('an execution whose client left is cancelled', async () => {
  // Rows that never come.
  const read: DatasetClient['read'] = async function* (_request, _token, signal) {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const run = await start({}, { datasets: { read, select: () => Promise.reject() as never } });
  const abort = new AbortController();
  const gone = run(SALES_ID, { parameters: [{ name: 'from', value: '2026-01-01' }] }, abort.signal);
  await eventually(async () => expect(await executions('id')).toHaveLength(1));
  abort.abort();
  await expect(gone).rejects.toThrow();
  await eventually(async () =>
    expect(await executions('success, cancelled')).toEqual([{ success: false, cancelled: true }]),
  );
});

// Asserts contract/reports.md#history.
test('documents are kept where that is switched on: the bytes that the client got', async () => {
  const run = await start({ savesDocuments: true });
  const text = await (await run(SALES_ID, SALES)).text();
  await eventually(async () => {
    const [row] = await executions('output_document');
    expect(kept.get(String(row?.['output_document']))).toBe(text);
  });
  expect(kept.size).toBe(1);
});

// Asserts contract/reports.md#history.
test('a document that failed half-way is not kept', async () => {
  const run = await start({ savesDocuments: true });
  await run('code/endless', {})
    .then((response) => response.text())
    .catch(() => '');
  await eventually(async () => expect(await executions('success')).toEqual([{ success: false }]));
  expect(kept.size).toBe(0);
});

// Asserts contract/reports.md#history.
test('executions that are too old or too many go, with their documents', async () => {
  const history = historyOf({ maxDays: 10, maxPerReport: 2 });
  const insert = (code: string, days: number, document: string | null = null) =>
    server.query(
      `INSERT INTO report.report_execution (id, report_name, report_code, username, start_time, output_document)
       VALUES (gen_random_uuid(), $1, $1, 'user', now() AT TIME ZONE 'UTC' - $2 * interval '1 day', $3)`,
      [code, days, document],
    );
  for (const days of [0, 1, 2, 3]) await insert('often', days, `fs://often-${days}`);
  for (const days of [0, 9, 11]) await insert('seldom', days);
  for (const days of [0, 1, 2, 3]) kept.set(`fs://often-${days}`, 'text');
  expect(await history.cleanUp()).toBe(3);
  expect(await executions("report_code || ' ' || coalesce(output_document, '') AS row")).toEqual(
    ['seldom ', 'often fs://often-1', 'often fs://often-0', 'seldom '].map((row) => ({ row })),
  );
  expect([...kept.keys()]).toEqual(['fs://often-0', 'fs://often-1']);
  expect(await historyOf().cleanUp()).toBe(0);
});
