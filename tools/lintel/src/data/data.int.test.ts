import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
});
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

async function upload(name: string, content: string): Promise<string> {
  const response = await fetch(`${application.url}/rest/files?name=${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
    body: content,
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { readonly fileRef: string }).fileRef;
}

test('contents of files and dynamic attributes move, and a second import changes nothing', async () => {
  const path = join(folder, 'products');
  const attributes = [
    { code: 'colour', name: 'Colour', dataType: 'STRING', orderNo: 0 },
    { code: 'rival', name: 'Rival', dataType: 'ENTITY', entityClass: 'sales_Product', orderNo: 1 },
  ];
  await api('POST', '/entities/dynat_Category', {
    name: 'Moved',
    entityType: 'sales_Product',
    categoryAttrs: attributes,
  });
  const listed = await api('GET', '/entities/sales_Product?limit=2&sort=sku&fetchPlan=_local');
  const [product, rival] = (await listed.json()) as readonly [Identified, Identified];
  const picture = await upload('red%20one.txt', 'a picture');
  await api('PUT', `/entities/sales_Product/${product.id}`, { picture, '+colour': 'red', '+rival': { id: rival.id } });
  const exported = await lintel('export', path, '--entity', 'sales_Product');
  expect([exported.code, exported.notes]).toEqual([0, expect.any(String)]);
  const text = readFileSync(join(path, 'sales_Product.ndjson'), 'utf8');
  const [, digest = ''] = /"picture":"([0-9a-f]{64})\/text%2Fplain\/red one\.txt"/.exec(text) ?? [];
  expect([text, readFileSync(join(path, 'files', digest), 'utf8')]).toEqual([
    expect.stringContaining('"+colour":"red"'),
    'a picture',
  ]);
  const pictureNow = async () => {
    const read = await api('GET', `/entities/sales_Product/${product.id}?fetchPlan=_local&dynamicAttributes=true`);
    return (await read.json()) as Readonly<Record<string, unknown>>;
  };
  await api('PUT', `/entities/sales_Product/${product.id}`, {
    picture: await upload('other.txt', 'another'),
    '+colour': 'blue',
    '+rival': null,
  });
  const rehearsed = await lintel('import', path, '--dry-run');
  expect([rehearsed.code, rehearsed.notes]).toEqual([
    0,
    expect.stringContaining('sales_Product: 1 file to be uploaded'),
  ]);
  expect((await pictureNow())['+colour']).toBe('blue');
  expect((await lintel('import', path)).output).toMatch(/^sales_Product: 0 created, 1 updated/m);
  const moved = await pictureNow();
  expect(moved).toMatchObject({ '+colour': 'red', '+rival': { id: rival.id } });
  const content = await api('GET', `/files?fileRef=${encodeURIComponent(String(moved['picture']))}`);
  expect(await content.text()).toBe('a picture');
  expect((await lintel('import', path)).output).toMatch(/^sales_Product: 0 created, 0 updated/m);
  expect((await pictureNow())['picture']).toBe(moved['picture']);
});

test('a row gets no other content of this machine than the one whose digest it has', async () => {
  const path = join(folder, 'products');
  const file = join(path, 'sales_Product.ndjson');
  const text = readFileSync(file, 'utf8');
  const [, digest = ''] = /"picture":"([0-9a-f]{64})\//.exec(text) ?? [];
  writeFileSync(join(folder, 'secret'), 'secret');
  for (const value of [
    '../../secret',
    `../${digest}//x`,
    `${'0'.repeat(64)}//x`,
    'fs://2026/01/01/x?name=y',
    `${digest}/%0A%FF/x`,
  ]) {
    writeFileSync(file, text.replace(/"picture":"[^"]*"/, `"picture":${JSON.stringify(value)}`));
    const refused = await lintel('import', path);
    expect([value, refused.code, refused.notes]).toEqual([value, 2, expect.stringContaining('picture')]);
  }
  writeFileSync(file, text);
  writeFileSync(join(path, 'files', digest), 'changed');
  expect((await lintel('import', path)).notes).toContain('is not the file that was exported');
});

test('texts that are no instances are refused with the numbers of their rows', async () => {
  const path = join(folder, 'hostile');
  mkdirSync(path);
  const file = join(path, 'sales_Product.ndjson');
  const deep = `${'{"picture":'.repeat(40_000)}1${'}'.repeat(40_000)}`;
  const bad = ['{"sku":', '[1]', deep, '{"sku":"X","picture":7}', '{"__proto__":{"picture":"x"}}'];
  for (const line of bad) {
    writeFileSync(file, `${line}\n`);
    const refused = await lintel('import', path);
    expect([line.slice(0, 20), refused.code, refused.notes]).toEqual([
      line.slice(0, 20),
      2,
      expect.stringMatching(/sales_Product: Import refused: 1 of 1 rows.*row 1/s),
    ]);
  }
  // The second request begins with the second row.
  const name = 'n'.repeat(2_500_000);
  writeFileSync(join(path, 'sales_ProductTag.ndjson'), `{"name":"${name}"}\n`.repeat(2));
  rmSync(file);
  const large = await lintel('import', path);
  expect([large.code, large.notes.length < 5_000, large.notes]).toEqual([
    2,
    true,
    expect.stringContaining('more than 1048576'),
  ]);
  const rows = Array.from({ length: 9 }, (_, at) => `{"name":"large ${at}","unknown":"${'x'.repeat(900_000)}"}\n`);
  writeFileSync(join(path, 'sales_ProductTag.ndjson'), `${rows.join('')}{"name":null}\n`);
  expect((await lintel('import', path)).notes).toContain('row 10 name: ');
});

test('users and roles move where they are chosen, without passwords', async () => {
  const path = join(folder, 'users');
  await api('POST', '/entities/sec_User', { username: 'moved', active: true });
  await api('POST', '/entities/sec_RoleAssignment', {
    username: 'moved',
    roleCode: 'rest-minimal',
    roleType: 'resource',
  });
  expect((await lintel('export', path, '--entity', 'sec_User', '--entity', 'sec_RoleAssignment')).code).toBe(0);
  expect(readFileSync(join(path, 'sec_User.ndjson'), 'utf8')).not.toMatch(/password/i);
  const found = await api('GET', '/entities/sec_User?limit=200&fetchPlan=_local');
  const user = ((await found.json()) as readonly (Identified & { readonly username: string })[]).find(
    ({ username }) => username === 'moved',
  );
  await api('DELETE', `/entities/sec_User/${user?.id}`);
  const imported = await lintel('import', path);
  expect([imported.notes, imported.output]).toEqual(['', expect.stringMatching(/^sec_User: 1 created/m)]);
  expect((await lintel('import', path)).output).toMatch(/^sec_User: 0 created, 0 updated/m);
});

test('personal values are replaced by false ones that an import accepts; keys and references stay', async () => {
  const path = join(folder, 'masked');
  const category = await api('POST', '/entities/sales_CustomerCategory', { code: 'kept', name: 'Kept' });
  const { id: categoryId } = (await category.json()) as Identified;
  const created = await api('POST', '/entities/sales_Customer', {
    name: 'Ada Lovelace',
    email: 'ada@example.org',
    phone: '+44 20 1234',
    birthDate: '1815-12-10',
    creditLimit: 12.5,
    address: { country: 'GB', street: 'St James Square' },
    avatar: await upload('ada.txt', 'her picture'),
    category: { id: categoryId },
  });
  const { id } = (await created.json()) as Identified;
  expect((await lintel('export', path, '--entity', 'sales_Customer', '--mask', '--no-personal')).code).toBe(2);
  const exported = await lintel('export', path, '--entity', 'sales_Customer', '--mask');
  expect([exported.code, exported.notes]).toEqual([0, expect.any(String)]);
  const first = readFileSync(join(path, 'sales_Customer.ndjson'), 'utf8');
  const row = first.split('\n').find((line) => line.includes(id)) ?? '{}';
  const masked = expect.stringMatching(/^masked [0-9a-f]{12}$/);
  expect(JSON.parse(row)).toEqual({
    ...{ id, name: masked, phone: masked, creditLimit: 12.5, birthDate: '1900-01-01' },
    ...{ active: true, grade: null, tags: [], category: expect.anything() },
    email: expect.stringMatching(/^masked-[0-9a-f]{12}@example\.invalid$/),
    address: { country: expect.stringMatching(/^..$/), city: null, street: masked, zip: null },
    ...{ '+favourite': null, '+loyaltyNumber': null, '+loyaltyPoints': null, '+vip': null },
  });
  expect(first).not.toMatch(/Lovelace|ada@|1234|St James|1815|her picture/);
  expect(readdirSync(path)).not.toContain('files');
  expect((await lintel('import', path)).notes).toBe('');
  expect((await lintel('import', path)).output).toMatch(/^sales_Customer: 0 created, 0 updated/m);
  expect((await lintel('export', path, '--entity', 'sales_Customer', '--mask')).code).toBe(0);
  expect(readFileSync(join(path, 'sales_Customer.ndjson'), 'utf8')).toBe(first);
});
