import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { runMigrations } from '../run-migrations.ts';

let server: TestDatabase;
const report = crypto.randomUUID();

beforeAll(async () => {
  server = await createTestDatabase('persistence');
  await runMigrations({ url: server.url, migrations: [] });
  await server.query(
    `INSERT INTO report.report (id, version, created_by, name, rest_access, definition)
VALUES ($1, 1, 'admin', 'Orders', true, '{"bands":[]}')`,
    [report],
  );
  await server.query(
    `INSERT INTO report.report_template (id, version, report_id, code, report_output_type, is_default, name, content)
VALUES (gen_random_uuid(), 1, $1, 'DEFAULT', 80, true, 'o.csv', 'fs://1?name=o.csv')`,
    [report],
  );
});
afterAll(() => server.drop());

interface Version {
  readonly number: number;
  readonly username: string | null;
  readonly file: string;
}

const versions = (): Promise<readonly Version[]> =>
  server.query<Version>(
    `SELECT number, username, content #>> '{templates,0,content}' AS file FROM report.report_version ORDER BY number`,
  );
const setFile = (file: string) =>
  server.query(`UPDATE report.report_template SET content = $1, last_modified_by = 'maria' WHERE report_id = $2`, [
    file,
    report,
  ]);

test('one transaction makes one version; a change that leaves no difference makes none', async () => {
  expect((await versions()).map(({ number, file }) => [number, file])).toEqual([
    [1, null],
    [2, 'fs://1?name=o.csv'],
  ]);
  await server.query(
    `DO $$ BEGIN
  UPDATE report.report SET name = 'All orders', version = 7, last_modified_by = 'maria';
  UPDATE report.report_template SET is_default = false;
  UPDATE report.report_template SET is_default = true;
END $$`,
  );
  expect((await versions()).slice(2)).toEqual([{ number: 7, username: 'maria', file: 'fs://1?name=o.csv' }]);
  await server.query(`UPDATE report.report SET last_modified_by = 'admin', version = 8`);
  expect(await versions()).toHaveLength(3);
});

// Asserts contract/reports.md#versions.
test('the newest versions are kept, and the files of the others are released', async () => {
  await server.query('UPDATE report.version_limit SET kept = 2');
  await setFile('fs://2?name=o.csv');
  await setFile('fs://3?name=o.csv');
  await setFile('fs://4?name=o.csv');
  expect(await versions()).toEqual([
    { number: 9, username: 'maria', file: 'fs://3?name=o.csv' },
    { number: 10, username: 'maria', file: 'fs://4?name=o.csv' },
  ]);
  const released = await server.query<{ file: string }>(
    'SELECT DISTINCT file_ref AS file FROM report.released_file ORDER BY file_ref',
  );
  expect(released.map(({ file }) => file)).toEqual(['fs://1?name=o.csv', 'fs://2?name=o.csv']);
});

test('parallel transactions that change different templates of a report both are in its newest version', async () => {
  const add = (code: string) =>
    server.query(
      `INSERT INTO report.report_template (id, version, report_id, code, report_output_type, is_default, name, content)
VALUES (gen_random_uuid(), 1, $1, $2, 80, false, 'o.csv', 'fs://5?name=o.csv')`,
      [report, code],
    );
  await Promise.all(['a', 'b', 'c', 'd'].map(add));
  const [newest] = await server.query<{ codes: number }>(
    `SELECT jsonb_array_length(content -> 'templates') AS codes FROM report.report_version ORDER BY number DESC LIMIT 1`,
  );
  expect(newest?.codes).toBe(5);
});

test('a report that is deleted keeps its versions until it is removed', async () => {
  await server.query('UPDATE report.report SET deleted_date = now()');
  await server.query('UPDATE report.report_template SET deleted_date = now()');
  expect(await versions()).toHaveLength(2);
  await server.query('DELETE FROM report.report_template');
  await server.query('DELETE FROM report.report');
  expect(await versions()).toHaveLength(0);
});
