import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApplication, type TestApplication } from '@lintel/test';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { saveLogins } from '../login/credentials.ts';
import { run } from '../run.ts';

let application: TestApplication;
let folder: string;
let token: string;
const before = process.env['XDG_CONFIG_HOME'];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-data-'));
  process.env['XDG_CONFIG_HOME'] = folder;
  application = await startApplication({ application: '@lintel/example-sales' });
  token = await application.tokenOf('admin');
  const login = { clientId: 'lintel-cli', accessToken: token, expiresAt: 0 };
  saveLogins(join(folder, 'lintel', 'credentials.json'), { [application.url]: login });
}, 120_000);
afterAll(async () => {
  if (before === undefined) delete process.env['XDG_CONFIG_HOME'];
  else process.env['XDG_CONFIG_HOME'] = before;
  await application?.stop();
  rmSync(folder, { recursive: true });
});

async function lintel(...parameters: string[]) {
  const terminal = fakeTerminal();
  const code = await run(['data', ...parameters, '--server', application.url], terminal);
  return { code, output: terminal.output(), notes: terminal.notes() };
}
interface Identified {
  readonly id: string;
}
const filesOf = (path: string) =>
  Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'utf8')]));
async function api(method: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${application.url}/rest${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect([response.ok, response.ok ? '' : await response.text()]).toEqual([true, '']);
  return response;
}

test('orders move with what they refer to; a second import changes nothing, and equal data are equal files', async () => {
  const path = join(folder, 'orders');
  const exported = await lintel('export', path, '--entity', 'sales_Order');
  expect([exported.code, exported.output]).toEqual([0, expect.stringMatching(/^sales_Order: \d+$/m)]);
  const first = filesOf(path);
  expect(Object.keys(first)).toEqual(
    expect.arrayContaining(['sales_Customer.ndjson', 'sales_Order.ndjson', 'sales_Product.ndjson']),
  );
  const listed = await api('GET', '/entities/sales_Order?limit=1&fetchPlan=_local');
  const [order] = (await listed.json()) as readonly [Identified];
  await api('PUT', `/entities/sales_Order/${order.id}`, { notes: 'changed', lines: [] });
  const rehearsed = await lintel('import', path, '--dry-run');
  expect([rehearsed.code, rehearsed.output]).toEqual([0, expect.stringMatching(/^sales_Order: 0 created, 1 updated/m)]);
  expect((await lintel('import', path)).output).toBe(rehearsed.output);
  const again = await lintel('import', path, '--json');
  for (const counts of Object.values<object>(JSON.parse(again.output)))
    expect(counts).toMatchObject({ created: 0, updated: 0 });
  expect((await lintel('export', path, '--entity', 'sales_Order')).code).toBe(0);
  expect(filesOf(path)).toEqual(first);
});

test('the command names what it cannot move, and nothing of a refused file is imported', async () => {
  const path = join(folder, 'tags');
  const unknown = await lintel('export', path, '--entity', 'sales_Nothing');
  expect([unknown.code, unknown.notes]).toEqual([2, expect.stringContaining('There is no entity sales_Nothing')]);
  expect((await lintel('import', folder)).notes).toContain('has no files');
  await api('POST', '/entities/sales_ProductTag', { name: 'moved' });
  await lintel('export', path, '--entity', 'sales_ProductTag');
  const text = readFileSync(join(path, 'sales_ProductTag.ndjson'), 'utf8');
  expect(text).toContain('{"name":"moved"}');
  const found = await api('POST', '/entities/sales_ProductTag/search', {
    filter: { conditions: [{ property: 'name', operator: '=', value: 'moved' }] },
  });
  const [tag] = (await found.json()) as readonly [Identified];
  await api('DELETE', `/entities/sales_ProductTag/${tag.id}`);
  writeFileSync(join(path, 'sales_ProductTag.ndjson'), `${text}{"name":null}\n`);
  const refused = await lintel('import', path);
  expect([refused.code, refused.notes]).toEqual([2, expect.stringMatching(/sales_ProductTag: Import refused: 1 of/)]);
  expect(refused.notes).toMatch(/row \d+ name: /);
  writeFileSync(join(path, 'sales_ProductTag.ndjson'), text);
  expect((await lintel('import', path)).output).toMatch(/^sales_ProductTag: 1 created, 0 updated/m);
});
