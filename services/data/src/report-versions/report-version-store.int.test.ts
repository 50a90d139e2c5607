import { createDatabase, type Database } from '@lintel/persistence';
import { runMigrations } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { createReportVersionStore } from './create-report-version-store.ts';

const REPORT_ID = '5b1f0000-0000-4000-8000-000000000001';

let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await cloneTestDatabase(
    { key: 'platform', build: (url) => runMigrations({ url, migrations: [] }) },
    'report-versions',
  );
  database = createDatabase({
    url: server.url,
    applicationName: 'report-versions',
    maxConnections: 2,
    statementTimeoutMs: 60_000,
  });
});
afterAll(async () => {
  await database?.close();
  await server?.drop();
});

const rename = (name: string) => server.query('UPDATE report.report SET name = $1 WHERE id = $2', [name, REPORT_ID]);

test('a restored version is found although it was the oldest one, which is deleted when the new one is made', async () => {
  const store = createReportVersionStore(database);
  await store.limit(2);
  await server.query(
    `INSERT INTO report.report (id, version, created_by, name, rest_access, definition)
VALUES ($1, 1, 'admin', 'First', true, '{"bands":[]}')`,
    [REPORT_ID],
  );
  await rename('Second');
  const first = await store.load(REPORT_ID, 1);
  await rename('First');
  expect((await store.list(REPORT_ID, { before: 100, limit: 10 })).map(({ number }) => number)).toEqual([3, 2]);
  if (first === undefined) throw new Error('There is no first version');
  expect(await store.findRestored(REPORT_ID, 2, first.content)).toBe(3);
  // Another one was made since.
  await rename('Third');
  expect(await store.findRestored(REPORT_ID, 2, first.content)).toBe(3);
  expect(await store.findRestored(REPORT_ID, 3, first.content)).toBeUndefined();
});
