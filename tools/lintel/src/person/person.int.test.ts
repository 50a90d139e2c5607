import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sales from '@lintel/example-sales';
import { runMigrations } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-person-'));
  database = await cloneTestDatabase(
    { key: 'sales', build: (url) => runMigrations({ url, migrations: sales.migrations ?? [] }) },
    'cli_person',
  );
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const ID = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const MARKER = /marker|1977-0\d-\d\d/i;

async function person(parameters: readonly string[], inputs?: readonly string[]) {
  const terminal = fakeTerminal(inputs === undefined ? {} : { inputs });
  const named = ['--application', '@lintel/example-sales', '--url', database.url];
  const code = await run(['person', ...parameters, ...named], terminal);
  return { code, output: terminal.output(), notes: terminal.notes() };
}

/** Every row of every table, as text. */
async function dump(): Promise<readonly string[]> {
  const tables = await database.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' ORDER BY 1`,
  );
  const all: string[] = [];
  for (const { name } of tables)
    for (const { row } of await database.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`))
      all.push(`${name} ${row}`);
  return all.sort();
}

/** A customer with other values in each of several changes, deleted, restored and deleted, and one who stays. */
async function createCustomers(id: string, order: string): Promise<void> {
  const values = (version: string) => `name = 'Marker name ${version}', email = 'marker${version}@example.org',
    phone = 'marker ${version}', birth_date = '1977-0${version}-01', address_country = 'DE',
    address_city = 'Marker city ${version}', address_street = 'Marker ${version}', address_zip = 'marker ${version}',
    avatar = 'fs://2026/11/29/00000000-0000-4000-8000-00000000000${version}.txt?name=marker${version}.txt'`;
  await database.query(`INSERT INTO sales.customer (id, version, name, email, credit_limit) VALUES
    ('${id}', 1, 'Marker at first', 'marker0@example.org', 5), ('${ID(9)}', 1, 'Other person', 'other@example.org', 6)
    ON CONFLICT DO NOTHING`);
  // Of an attribute that was removed from the model.
  await database.query(`UPDATE history.entry SET after = after || '{"nickname": "Marker"}' WHERE key = '["${id}"]'`);
  for (const version of ['1', '2', '3'])
    await database.query(`UPDATE sales.customer SET ${values(version)} WHERE id = '${id}'`);
  await database.query(`UPDATE sales.customer SET deleted_date = now(), credit_limit = 7 WHERE id = '${id}'`);
  await database.query(`UPDATE sales.customer SET deleted_date = NULL, phone = 'marker 9' WHERE id = '${id}'`);
  await database.query(`INSERT INTO sales.order (id, version, number, date, status, customer_id, notes) VALUES
    ('${order}', 1, 'N-${order.at(-1)}', now(), 10, '${id}', 'Marker notes'), (gen_random_uuid(), 1, 'O-${order.at(-1)}', now(), 10, '${ID(9)}', 'other notes')`);
  await database.query(`INSERT INTO lintel.idempotent_request (principal, key, request_hash, status, headers, body)
    VALUES ('user a', '${id}', 'h', 201, '{}', '{"_entityName": "sales_Customer", "id": "${id}", "name": "Marker"}')`);
}

// Asserts contract/personal-data.md#erase, contract/personal-data.md#stays.
test('after an erasure no table has a value of the person, and a second one changes nothing', async () => {
  const [id, order] = [ID(1), ID(2)];
  await createCustomers(id, order);
  await database.query(`UPDATE sales.customer SET deleted_date = now() WHERE id = '${id}'`);
  const before = await dump();
  expect(before.filter((row) => MARKER.test(row)).length).toBeGreaterThan(8);
  const rehearsed = await person(['erase', 'sales_Customer', id, '--dry-run', '--json']);
  expect([rehearsed.code, await dump()]).toEqual([0, before]);

  const { code, output } = await person(['erase', 'sales_Customer', id, '--yes', '--json']);
  expect(code).toBe(0);
  const report = JSON.parse(output);
  expect({ ...JSON.parse(rehearsed.output), isDryRun: false }).toEqual(report);
  expect(report.entities).toEqual([
    expect.objectContaining({ entity: 'sales_Customer', instances: 1, rows: 1 }),
    expect.objectContaining({ entity: 'sales_Order', instances: 1, rows: 1, attributes: ['notes'] }),
  ]);
  expect(report).toMatchObject({
    neutral: [{ attribute: 'sales_Customer.name', value: expect.stringMatching(/^erased-/), keepsRules: true }],
    files: 3,
    platform: [{ table: 'lintel.idempotent_request', rows: 1 }],
  });
  expect(report.stays.map(({ what }: { what: string }) => what).join()).toContain('backups');

  const after = await dump();
  expect(after.filter((row) => MARKER.test(row))).toEqual([]);
  // The changes are still there, with what is not personal, and so are other persons.
  const entries = (rows: readonly string[]) => rows.filter((row) => row.startsWith('history.entry_'));
  expect(entries(after)).toHaveLength(entries(before).length + 1);
  expect(entries(after).filter((row) => row.includes('"credit_limit": 7.00')).length).toBeGreaterThan(1);
  expect(after.filter((row) => /other notes|Other person/.test(row)).length).toBe(
    before.filter((row) => /other notes|Other person/.test(row)).length,
  );
  const changed = after.filter((row) => row.startsWith('events.outbox') && row.includes('data.entity.changed.v1'));
  expect(changed.filter((row) => row.includes(id) || row.includes(order))).toHaveLength(2);
  const [customer] = await database.query(`SELECT version, email FROM sales.customer WHERE id = '${id}'`);
  expect(customer).toEqual({ version: 2, email: null });

  const again = await person(['erase', 'sales_Customer', id, '--yes', '--json']);
  expect([again.code, await dump()]).toEqual([0, after]);
  expect(JSON.parse(again.output)).toMatchObject({ files: 0, platform: [] });
});

test('a recorded change names the attributes that were erased', async () => {
  const rows = await database.query<{ secrets: string[] | null }>(
    `SELECT secrets FROM history.entry WHERE key = '["${ID(1)}"]' AND secrets IS NOT NULL ORDER BY id`,
  );
  expect(rows[1]?.secrets).toEqual(expect.arrayContaining(['email', 'name', 'phone', 'birth_date', 'address_city']));
  expect(rows.at(-1)?.secrets).toContain('avatar');
});

// Asserts contract/personal-data.md#export.
test('an export has the instances, their former states and files, and overwrites nothing', async () => {
  const [id, order] = [ID(3), ID(4)];
  await createCustomers(id, order);
  const storage = join(folder, 'home', 'files');
  const path = '2026/11/29/00000000-0000-4000-8000-000000000001.txt';
  await mkdir(join(storage, '2026/11/29'), { recursive: true });
  await writeFile(join(storage, path), 'content of the first file');
  // A reference that a client has sent, to a file outside of the storage and of the export.
  await writeFile(join(folder, 'secret.txt'), 'secret');
  const outside = 'fs://../../secret.txt?name=x.txt';
  await database.query(`UPDATE sales.customer SET avatar = '${outside}' WHERE id = '${id}'`);
  await database.query(`UPDATE sales.customer SET avatar = NULL WHERE id = '${id}'`);
  process.env['LINTEL_HOME'] = join(folder, 'home');
  await database.query(`INSERT INTO history.access (id, recorded_at, username, operation, entity, ids, count)
    VALUES (gen_random_uuid(), now(), 'reader', 'list', 'sales_Customer', '{${id},${ID(9)}}', 2)`);
  await database.query(`INSERT INTO job.queue (name, policy, retry_limit, retry_delay, retry_backoff, expire_seconds,
    retention_seconds, deletion_seconds, partition, table_name)
    VALUES ('greet', 'standard', 0, 0, false, 60, 60, 60, false, 'job_common')`);
  await database.query(`INSERT INTO job.job_common (name, data)
    VALUES ('greet', '{"customer": "${ID(9)}"}'), ('greet', '{"customer": "${id}"}')`);
  const to = join(folder, 'export');
  const { code, output, notes } = await person(['export', 'sales_Customer', id, '--to', to, '--json']);
  expect([code, notes]).toEqual([0, '']);
  const report = JSON.parse(output);
  expect(JSON.parse(await readFile(join(to, 'report.json'), 'utf8'))).toEqual(report);
  const linesOf = async (name: string) =>
    (await readFile(join(to, name), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  expect(await linesOf('instances/sales_Customer.ndjson')).toEqual([
    expect.objectContaining({ belonging: 'person', name: 'Marker name 3', 'address.city': 'Marker city 3', id }),
  ]);
  expect(await linesOf('instances/sales_Order.ndjson')).toEqual([
    expect.objectContaining({ belonging: 'refers', notes: 'Marker notes', customer: id, id: order }),
  ]);
  expect(await linesOf('reads/sales_Customer.ndjson')).toEqual([
    expect.objectContaining({ user: 'reader', ids: [id] }),
  ]);
  expect(await linesOf('jobs.ndjson')).toEqual([
    expect.objectContaining({ job: 'greet', parameters: { customer: id } }),
  ]);
  expect(report.notIncluded.map(({ what }: { what: string }) => what)).toContain(
    'parameters and results of jobs: 1 name these instances',
  );
  const history = await linesOf('history/sales_Customer.ndjson');
  expect(history.map(({ after }) => after.name)).toEqual(expect.arrayContaining(['Marker at first', 'Marker name 1']));
  expect(report.files).toContainEqual({
    reference: `fs://${path}?name=marker1.txt`,
    path: `files/fs/${path}`,
  });
  expect(report.files.filter(({ isMissing }: { isMissing?: boolean }) => isMissing)).toHaveLength(3);
  expect(report.files).toContainEqual({ reference: outside, isMissing: true });
  for (const name of ['report.json', 'instances/sales_Customer.ndjson', `files/fs/${path}`])
    expect([name, (await stat(join(to, name))).mode & 0o777]).toEqual([name, 0o600]);
  expect(await readFile(join(to, 'files/fs', path), 'utf8')).toBe('content of the first file');
  expect(await person(['export', 'sales_Customer', id, '--to', to])).toMatchObject({
    code: 2,
    notes: expect.stringContaining('cannot be created: EEXIST'),
  });
});

// Asserts contract/personal-data.md#users.
test('a user is locked and loses everything but the name', async () => {
  const user = ID(5);
  await database.query(`INSERT INTO sec."user" (id, version, username, password, first_name, last_name, email, active)
    VALUES ('${user}', 1, 'ada', 'marker hash', 'Marker', 'Marker', 'marker@example.org', true)`);
  await database.query(`INSERT INTO sec.role_assignment (id, version, username, role_code, role_type)
    VALUES (gen_random_uuid(), 1, 'ada', 'sales-clerk', 'resource')`);
  await database.query(`INSERT INTO auth.api_key (id, user_id, username, name, hint, hash, resource_roles, expires_at)
    VALUES (gen_random_uuid(), '${user}', 'ada', 'Marker key', 'h', 'marker', '{}', now())`);
  await database.query(`INSERT INTO sys.list_view (id, owner, entity_name, name, content, is_shared)
    VALUES (gen_random_uuid(), 'ada', 'sales_Order', 'Marker view', '{}', false)`);
  await database.query(`INSERT INTO auth.login_attempt (username, outcome, client_id, address)
    VALUES ('ada', 'ok', 'c', '203.0.113.7')`);
  const to = join(folder, 'user');
  expect((await person(['export', 'sec_User', user, '--to', to])).code).toBe(0);
  const exported = await readFile(join(to, 'user/user.ndjson'), 'utf8');
  expect(JSON.parse(exported)).toMatchObject({ username: 'ada', first_name: 'Marker' });
  expect(exported + (await readFile(join(to, 'user/api_key.ndjson'), 'utf8'))).not.toMatch(/hash/);

  const { code, output } = await person(['erase', 'sec_User', user, '--yes']);
  expect([code, output]).toEqual([0, expect.stringContaining('auth.api_key: 1')]);
  expect(
    (await dump()).filter((row) => row.includes('203.0.113.7') || (row.includes('arker') && !row.includes(ID(3)))),
  ).toEqual([]);
  const [row] = await database.query(`SELECT username, active, password FROM sec."user" WHERE id = '${user}'`);
  expect(row).toEqual({ username: 'ada', active: false, password: null });
  const events = await database.query(
    `SELECT envelope -> 'data' AS data FROM events.outbox WHERE type = 'data.user.changed.v1'`,
  );
  expect(events).toEqual([{ data: expect.objectContaining({ username: 'ada', active: false, change: 'updated' }) }]);
});

test('an erasure is confirmed, and unknown persons are refused', async () => {
  const id = ID(3);
  const before = await dump();
  expect(await person(['erase', 'sales_Customer', id])).toMatchObject({
    code: 2,
    notes: expect.stringContaining('--yes'),
  });
  expect(await person(['erase', 'sales_Customer', id], ['no'])).toMatchObject({
    code: 2,
    notes: expect.stringContaining('Nothing was erased'),
  });
  expect(await person(['erase', 'sales_Nobody', id, '--yes'])).toMatchObject({
    code: 2,
    notes: expect.stringContaining('There is no entity sales_Nobody'),
  });
  expect(await person(['erase', 'sales_Customer', ID(77), '--yes'])).toMatchObject({
    code: 2,
    notes: expect.stringContaining('There is no sales_Customer'),
  });
  expect((await person(['erase', 'sales_Customer', 'x', '--yes'])).code).toBe(2);
  expect(await dump()).toEqual(before);
  expect(await person(['erase', 'sales_Customer', id], ['yes'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('sales_Customer.name needs a value'),
  });
});
