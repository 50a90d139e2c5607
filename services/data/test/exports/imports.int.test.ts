import { bindApplication, defineApplication, entityListener, loadQueries } from '@lintel/application';
import { embeddable, embedded, integer, keyedEntity, standardEntity, string, text, toOne } from '@lintel/metadata';
import { entityPolicy, modifyAttributes, resourceRole, viewAttributes } from '@lintel/security';
import { type DataFixture, startData, type TestResponse } from '../data-fixture.ts';
import { exportsApplication } from './exports-application.ts';

const saved: string[] = [];

let data: DataFixture;
beforeAll(async () => {
  const admin = { resourceRoles: ['system-full-access'] };
  const application = defineApplication({
    ...exportsApplication,
    entities: [
      ...(exportsApplication.entities ?? []),
      keyedEntity('x_Size', { key: 'number', attributes: { number: integer() }, instanceName: ['number'] }),
      standardEntity('x_Rate', {
        attributes: { country: toOne('x_Country'), year: integer(), value: integer() },
        indexes: [{ attributes: ['country', 'year'], unique: true }],
      }),
      embeddable('x_Seat', { attributes: { row: integer(), letter: string(1) } }),
      keyedEntity('x_Booking', { key: 'seat', attributes: { seat: embedded('x_Seat'), guest: text() } }),
      standardEntity('x_Shoe', { attributes: { name: text(), size: toOne('x_Size') } }),
    ],
    roles: [
      ...(exportsApplication.roles ?? []),
      resourceRole('kind-editor', {
        name: 'Changes names of kinds',
        childRoles: ['rest-minimal'],
        policies: [
          entityPolicy('x_Kind', 'read', 'update'),
          viewAttributes('x_Kind', '*'),
          modifyAttributes('x_Kind', 'code', 'name'),
        ],
      }),
      resourceRole('line-writer', {
        name: 'Writes lines, and deletes items',
        childRoles: ['rest-minimal'],
        policies: [
          entityPolicy('x_Line', 'create', 'read'),
          viewAttributes('x_Line', '*'),
          modifyAttributes('x_Line', '*'),
          entityPolicy('x_Item', 'read', 'delete'),
          viewAttributes('x_Item', 'title', 'ident'),
        ],
      }),
      resourceRole('nameless', {
        name: 'Writes lines without the titles of items',
        childRoles: ['rest-minimal'],
        policies: [
          entityPolicy('x_Line', 'create', 'read'),
          viewAttributes('x_Line', '*'),
          modifyAttributes('x_Line', '*'),
          entityPolicy('x_Item', 'read', 'delete'),
          viewAttributes('x_Item', 'ident'),
        ],
      }),
      ...(['name', 'code'] as const).map((attribute) =>
        resourceRole(`${attribute}-keeper`, {
          name: `Changes ${attribute} of kinds`,
          childRoles: ['rest-minimal'],
          policies: [
            entityPolicy('x_Kind', 'read', 'update'),
            viewAttributes('x_Kind', '*'),
            modifyAttributes('x_Kind', attribute),
          ],
        }),
      ),
    ],
    listeners: [
      entityListener({
        entity: 'x_Kind',
        afterCommit: async ({ after }) => void saved.push(String(after?.['code'])),
      }),
    ],
  });
  data = await startData(
    await loadQueries(bindApplication(application, []), [], async () => ''),
    {
      admin,
      editor: { resourceRoles: ['kind-editor'] },
      namer: { resourceRoles: ['name-keeper'] },
      keeper: { resourceRoles: ['code-keeper'] },
      reader: { resourceRoles: ['titles'] },
      writer: { resourceRoles: ['line-writer'], rowLevelRoles: ['small'] },
      nameless: { resourceRoles: ['nameless'] },
    },
    { 'svc.rest.max-import-size': '300KB' },
  );
  await data.query(`INSERT INTO x.country (code, name) VALUES ('DE', 'Germany'), ('FR', 'France')`);
});
afterAll(() => data?.close());
beforeEach(() => {
  saved.length = 0;
});

const CSV = 'text/csv';
const send = (target: string, body: string | Uint8Array, type = CSV, headers = {}, user = 'admin') =>
  data.send(user, 'POST', `/imports/${target}`, body, { 'content-type': type, ...headers });
const summary = ({ status, json }: TestResponse) => {
  const { created, updated, unchanged, refused } = json();
  return { status, created, updated, unchanged, refused };
};
const kinds = (prefix: string) =>
  data.query(`SELECT code, name FROM x.kind WHERE code LIKE '${prefix}%' ORDER BY code`);

// Asserts contract/imports.md#imports, contract/imports.md#columns.
test('rows of CSV become instances, by the names and captions of attributes', async () => {
  const { status, json } = await send('x_Kind', 'code;NAME\nA1;"one;1"\nA2;\n');
  expect([status, json()]).toEqual([
    200,
    {
      ...{ rows: 2, created: 2, updated: 0, unchanged: 0, refused: 0, errors: [], ignored: [] },
      columns: [
        { column: 'code', attribute: 'code' },
        { column: 'NAME', attribute: 'name' },
      ],
    },
  ]);
  expect(await kinds('A')).toEqual([
    { code: 'A1', name: 'one;1' },
    { code: 'A2', name: null },
  ]);
  expect(saved.sort()).toEqual(['A1', 'A2']);
});

// Asserts contract/imports.md#modes.
test('by a key instances are created, changed or left as they are', async () => {
  await send('x_Kind', 'code,name\nB1,one\nB2,two\n');
  const file = 'code,name\nB1,one\nB2,zwei\nB3,three\n';
  expect(summary(await send('x_Kind?key=code', file))).toEqual({
    status: 200,
    created: 1,
    updated: 1,
    unchanged: 1,
    refused: 0,
  });
  const created = await send('x_Kind?key=code&mode=create&refused=skip', 'code,name\nB3,x\nB4,four\n');
  expect([created.json().created, created.json().errors]).toEqual([
    1,
    [{ row: 1, reason: 'The instance exists already' }],
  ]);
  const updated = await send('x_Kind?key=code&mode=update&refused=skip', 'code,name\nB4,vier\nB5,five\n');
  expect([updated.json().updated, updated.json().errors]).toEqual([
    1,
    [{ row: 2, reason: 'There is no such instance' }],
  ]);
  expect((await kinds('B')).map(({ name }: { name?: unknown }) => name)).toEqual(['one', 'zwei', 'three', 'vier']);
});

// Asserts contract/imports.md#refused.
test('a refused row stops the whole import, with the reasons of all rows', async () => {
  const file = `code,name\n${Array.from({ length: 450 }, (_, at) => `C${at},${at}`).join('\n')}\n,none\n${'c'.repeat(21)},long\nC7,twice\n`;
  const { status, json } = await send('x_Kind', file);
  expect([status, json().error, json().details]).toEqual([
    400,
    'Import refused',
    '3 of 453 rows are refused: nothing was imported',
  ]);
  expect(json().errors).toEqual([
    { row: 451, column: 'code', attribute: 'code', reason: expect.stringMatching(/null/) },
    { row: 452, column: 'code', attribute: 'code', reason: expect.stringMatching(/20/) },
    { row: 453, reason: expect.stringMatching(/code|exists|unique/i) },
  ]);
  expect(await kinds('C')).toEqual([]);
  expect(saved).toEqual([]);
  const skipped = await send('x_Kind?refused=skip', file);
  expect(summary(skipped)).toEqual({ status: 200, created: 450, updated: 0, unchanged: 0, refused: 3 });
  expect(skipped.json().errors.map(({ row }: { row: number }) => row)).toEqual([451, 452, 453]);
  expect(await kinds('C')).toHaveLength(450);
  expect(saved).toHaveLength(450);
});

// Asserts contract/imports.md#refused.
test('an import stops after a thousand refused rows', async () => {
  const file = `code,name\n${Array.from({ length: 1_500 }, () => ',x').join('\n')}\n`;
  const { json } = await send('x_Kind?refused=skip', file);
  expect([json().refused, json().isStopped, json().errors.length]).toEqual([1_000, true, 1_000]);
});

// Asserts contract/imports.md#refused.
test.each([{ prefer: 'tx=rollback' }, {}])('a rehearsal %j changes nothing', async (headers) => {
  const query = 'prefer' in headers ? '' : '&dryRun=true';
  const response = await send(`x_Kind?key=code${query}`, 'code,name\nD1,one\nD2,two\n,none\n', CSV, headers);
  expect(summary(response)).toEqual({ status: 200, created: 2, updated: 0, unchanged: 0, refused: 1 });
  expect(response.headers.get('preference-applied')).toBe('tx=rollback');
  const { changes, events } = response.json();
  expect(changes).toMatchObject([
    { entity: 'x_Kind', change: 'created', attributes: expect.arrayContaining([{ attribute: 'code', new: 'D1' }]) },
    { entity: 'x_Kind', change: 'created', attributes: expect.arrayContaining([{ attribute: 'code', new: 'D2' }]) },
  ]);
  expect(events).toHaveLength(2);
  expect(await kinds('D')).toEqual([]);
  expect(saved.filter((code) => code === 'undefined')).toEqual([]);
});

// Asserts contract/imports.md#cells, contract/exports.md#csv.
test('an export is imported again without a change', async () => {
  await send('x_Kind?key=code', 'code,name\nE1,one\n');
  const id = '00000000-0000-4000-8000-0000000000e1';
  const created = await data.send('admin', 'POST', '/entities/x_Item', {
    ...{ id, title: '=1+1', number: 7, big: '9007199254740993', ratio: -0.1, part: 2, money: '12.3400', flag: true },
    ...{ day: '2026-01-02', instant: '2026-01-02T03:04:05.006Z', stamp: '2026-01-02T03:04:05.000', clock: '03:04:05' },
    ...{
      bytes: 'AQID',
      link: 'https://example.org/?a=1,2',
      state: 'OPEN',
      email: 'a@b.example',
      extra: { a: [1.5, null] },
    },
    ...{ country: { code: 'DE' }, address: { country: 'DE', city: "'+x" }, tags: ['x', 'y'], lines: [{ label: '-1' }] },
  });
  expect([created.status, created.text]).toEqual([201, expect.anything()]);
  const plan = encodeURIComponent(
    JSON.stringify({
      entity: 'x_Item',
      extends: '_local',
      properties: [
        { name: 'country', fetchPlan: { properties: ['name'] } },
        { name: 'address', fetchPlan: { properties: ['country', 'city'] } },
        ...['tags', 'extra'],
        { name: 'lines', fetchPlan: { properties: ['label'] } },
      ],
    }),
  );
  for (const accept of [CSV, 'application/x-ndjson']) {
    const exported = await data.send('admin', 'GET', `/entities/x_Item?fetchPlan=${plan}`, undefined, { accept });
    const imported = await send('x_Item?mode=upsert', exported.text, accept);
    expect([summary(imported), imported.json().errors]).toEqual([
      { status: 200, created: 0, updated: 0, unchanged: 1, refused: 0 },
      [],
    ]);
    const renumbered = exported.text.replace(/"number":7|,7,/, (found) => found.replace('7', '8'));
    expect((await send('x_Item?mode=upsert', renumbered, accept)).json().updated).toBe(1);
    await send('x_Item?mode=upsert', exported.text, accept);
  }
});

// Asserts contract/imports.md#columns, contract/writing.md#upsert-references.
test('a reference is found by its id or by a unique attribute, and columns are mapped or skipped', async () => {
  await send('x_Kind?key=code', 'code,name\nF1,one\n');
  await send('x_Item', 'id,title\n00000000-0000-4000-8000-0000000000f1,F\n');
  const columns = encodeURIComponent(JSON.stringify({ Art: 'kind.code', Bemerkung: null, Text: 'label' }));
  const file =
    'Text,Art,Bemerkung,item\nfirst,F1,x,00000000-0000-4000-8000-0000000000f1\nsecond,F9,,00000000-0000-4000-8000-0000000000f1\nthird,,,\n';
  const { json } = await send(`x_Line?columns=${columns}&refused=skip`, file);
  expect([json().created, json().errors]).toEqual([
    1,
    [
      { row: 2, column: 'Art', attribute: 'kind', reason: expect.stringContaining("'kind'") },
      { row: 3, column: 'item', attribute: 'item', reason: expect.stringMatching(/null/) },
    ],
  ]);
  expect(await data.query(`SELECT k.code FROM x.line l JOIN x.kind k ON k.id = l.kind_id`)).toEqual([{ code: 'F1' }]);
});

// Asserts contract/imports.md#cells.
test('an empty cell is null, or leaves the attribute as it is', async () => {
  await send('x_Kind', 'code,name\nG1,one\n');
  expect((await send('x_Kind?key=code&empty=skip', 'code,name\nG1,\n')).json().unchanged).toBe(1);
  expect((await send('x_Kind?key=code', 'code,name\nG1,""\n')).json().updated).toBe(1);
  expect(await kinds('G')).toEqual([{ code: 'G1', name: '' }]);
  expect((await send('x_Kind?key=code', 'code,name\nG1,\n')).json().updated).toBe(1);
  expect(await kinds('G')).toEqual([{ code: 'G1', name: null }]);
});

// Asserts contract/imports.md#files.
test.each([
  ['windows-1252', 'text/csv;charset=windows-1252', Buffer.from('code,name\nH1,\xe4\x80\n', 'latin1'), 'ä€'],
  ['UTF-16 with its mark', CSV, Buffer.from('\ufeffcode,name\nH1,ä\n', 'utf16le'), 'ä'],
  ['UTF-8 with its mark', CSV, Buffer.from('\ufeffcode,name\nH1,ä\n'), 'ä'],
  ['a tab, and lines of Windows', CSV, Buffer.from('code\tname\r\nH1\tä,;\r\n'), 'ä,;'],
  ['a delimiter of the request', 'text/csv', Buffer.from('code:name\nH1:ä\n'), 'ä', '&delimiter=%3A'],
])('a file in %s is read', async (_name, type, file, name, more = '') => {
  expect((await send(`x_Kind?key=code${more}`, file, type)).status).toBe(200);
  expect(await kinds('H')).toEqual([{ code: 'H1', name }]);
});

// Asserts contract/imports.md#files.
test.each<readonly [string, string, string | Uint8Array, string, number, string]>([
  ['no media type', 'x_Kind', 'code\nI\n', 'text/plain', 415, 'Content-Type must be text/csv or application/x-ndjson'],
  ['an unknown encoding', 'x_Kind', 'code\nI\n', 'text/csv;charset=none', 400, "The charset 'none'"],
  ['a wrong encoding', 'x_Kind', Buffer.from('code\nI\xe4\n', 'latin1'), CSV, 400, 'The file is not valid utf-8'],
  ['a NUL', 'x_Kind', 'code\nI\0\n', CSV, 400, 'Line 2 contains a NUL character'],
  ['an empty file', 'x_Kind', '', CSV, 400, 'The file is empty'],
  ['blank lines', 'x_Kind', '\n\n', CSV, 400, 'The file has no header'],
  ['an open quotation mark', 'x_Kind', 'code\nI\n"I2\n', CSV, 400, 'has a quotation mark that is not closed'],
  ['text after a quotation mark', 'x_Kind', 'code,name\n"I"x,\n', CSV, 400, 'Line 2 has text after the closing'],
  ['a quotation mark inside of a cell', 'x_Kind', 'code\nI"2\n', CSV, 400, 'Line 2 has a quotation mark inside'],
  ['too many columns', 'x_Kind', `${'c,'.repeat(1_000)}c\n`, CSV, 400, 'A row has 1001 cells, at most 1000'],
  ['an unknown column', 'x_Kind', 'code,Farbe\nI,x\n', CSV, 400, "Column 2 'Farbe' is no attribute of x_Kind"],
  ['an attribute twice', 'x_Kind', 'code,Code\nI,x\n', CSV, 400, "Several columns are the attribute 'code'"],
  ['a larger file', 'x_Kind', `code\n${'x'.repeat(310_000)}\n`, CSV, 413, 'larger than'],
  ['a wrong mode', 'x_Kind?mode=merge', 'code\nI\n', CSV, 400, "Parameter 'mode' must be create or update or upsert"],
  ['a wrong key', 'x_Kind?key=name', 'code\nI\n', CSV, 400, "Parameter 'key' must name the attributes"],
  ['wrong columns', 'x_Kind?columns=[]', 'code\nI\n', CSV, 400, "Parameter 'columns' must be a JSON object"],
  ['a column that is not there', 'x_Kind?columns={"a":"name"}', 'code\nI\n', CSV, 400, "names 'a', which no column is"],
  ['a long delimiter', 'x_Kind?delimiter=ab', 'code\nI\n', CSV, 400, "Parameter 'delimiter' must be one character"],
  ['an unknown entity', 'x_None', 'code\nI\n', CSV, 404, 'Entity x_None not found'],
])('%s is refused, and nothing is imported', async (_name, target, file, type, status, details) => {
  const response = await send(target, file, type);
  expect([response.status, response.json().details]).toEqual([status, expect.stringContaining(details)]);
  expect(await kinds('I')).toEqual([]);
});

// Asserts contract/imports.md#columns.
test('columns without an attribute are returned with the others, so that a client can map them', async () => {
  const { status, json } = await send('x_Kind', 'code,Farbe,Name\nI,x,y\n');
  expect([status, json().columns]).toEqual([
    400,
    [
      { column: 'code', attribute: 'code' },
      { column: 'Farbe', attribute: null },
      { column: 'Name', attribute: 'name' },
    ],
  ]);
});

// Asserts contract/imports.md#files, contract/imports.md#refused.
test('rows with other cells than the header, and lines that are no objects, are refused alone', async () => {
  const table = await send('x_Kind?refused=skip', 'code,name\nJ1\nJ2,x,y\nJ3,z\n');
  expect(table.json().errors).toEqual([
    { row: 1, reason: 'The row has 1 cells, the header has 2' },
    { row: 2, reason: 'The row has 3 cells, the header has 2' },
  ]);
  const lines = await send(
    'x_Kind?refused=skip',
    '{"code":"J4"}\n[1]\n\n{"code":\n{"code":"J5"}',
    'application/x-ndjson',
  );
  expect([summary(lines), lines.json().errors]).toEqual([
    { status: 200, created: 2, updated: 0, unchanged: 0, refused: 2 },
    [2, 3].map((row) => ({ row, reason: 'The line is not a JSON object' })),
  ]);
  const item = await send('x_Item?refused=skip', 'title,extra,number\nx,{,1\ny,,z\n');
  expect(item.json().errors).toEqual([
    { row: 1, column: 'extra', attribute: 'extra', reason: 'The cell is not valid JSON' },
    { row: 2, column: 'number', attribute: 'number', reason: expect.stringContaining('number') },
  ]);
});

// Asserts contract/imports.md#rights.
test('an import has the rights of the caller for each row', async () => {
  await send('x_Kind', 'code,name\nK1,one\n');
  expect((await send('x_Kind', 'code\nK9\n', CSV, {}, 'reader')).status).toBe(403);
  const { json } = await send('x_Kind?key=code&refused=skip', 'code,name\nK1,eins\nK2,two\n', CSV, {}, 'editor');
  expect([json().updated, json().errors]).toEqual([1, [{ row: 2, reason: 'Creation of the x_Kind is forbidden' }]]);
  expect(await kinds('K')).toEqual([{ code: 'K1', name: 'eins' }]);
  expect(data.errors).toEqual([]);
});

// Asserts contract/imports.md#ignored.
test('columns and members without an effect are named, or refused', async () => {
  const title = 'id,title,createdDate,version,createdBy\n';
  const created = await send('x_Item', `${title}00000000-0000-4000-8000-0000000000d1,M,2020-01-01T00:00:00.000,7,x\n`);
  expect([created.json().created, created.json().ignored]).toEqual([1, ['createdDate', 'version', 'createdBy']]);
  const corrected = await send(
    'x_Item?key=id',
    `${title}00000000-0000-4000-8000-0000000000d1,M,2020-01-01T00:00:00.000,7,x\n`,
  );
  expect([corrected.json().updated, corrected.json().ignored]).toEqual([1, ['version']]);
  await send('x_Kind', 'code,name\nM1,one\n');
  const file = 'code,name,lastModifiedBy\nM1,eins,x\n';
  const denied = await send('x_Kind?key=code&mode=update', file, CSV, {}, 'namer');
  expect([denied.json().updated, denied.json().ignored]).toEqual([1, ['lastModifiedBy']]);
  const fixed = await send('x_Kind?key=code&mode=update', file, CSV, {}, 'keeper');
  expect([fixed.json().unchanged, fixed.json().ignored]).toEqual([1, ['lastModifiedBy', 'name']]);
  const strict = await send('x_Kind?key=code', 'code,name\nM1,x\n', CSV, { prefer: 'handling=strict' }, 'keeper');
  expect([strict.status, strict.json().errors, strict.headers.get('preference-applied')]).toEqual([
    400,
    [{ row: 1, column: 'name', attribute: 'name', reason: expect.stringContaining("'name'") }],
    'handling=strict',
  ]);
  const lines = await send('x_Kind?key=code', '{"code":"M1","name":"one","oops":1}', 'application/x-ndjson');
  expect([lines.json().updated, lines.json().ignored]).toEqual([1, ['oops']]);
});

// Asserts contract/imports.md#columns.
test('references are named by the instance name of their target, unless several have it', async () => {
  const insert = (titles: string) =>
    data.query(`INSERT INTO x.item (id, version, title) SELECT gen_random_uuid(), 1, t FROM ${titles} AS t(t)`);
  await insert(`unnest(ARRAY['Named', 'Twice', 'Twice'])`);
  const columns = encodeURIComponent(JSON.stringify({ Item: 'item._instanceName' }));
  const lines = (rows: string) => send(`x_Line?refused=skip&columns=${columns}`, `label,Item\n${rows}`);
  const { json } = await lines('P1,Named\nP2,Twice\nP3,None\nP4,Named\n');
  const refusal = { column: 'Item', attribute: 'item.id' };
  expect([json().created, json().errors]).toEqual([
    2,
    [
      { row: 2, ...refusal, reason: "Several instances have the name 'Twice'" },
      { row: 3, ...refusal, reason: "There is no instance with the name 'None'" },
    ],
  ]);
  const stored = `SELECT l.label, i.title FROM x.line l JOIN x.item i ON i.id = l.item_id WHERE label LIKE 'P_' ORDER BY 1`;
  expect(await data.query(stored)).toEqual(['P1', 'P4'].map((label) => ({ label, title: 'Named' })));
  // More of one name than a search returns.
  await insert(`(SELECT 'Frequent' FROM generate_series(1, 600))`);
  const frequent = await lines('P5,Frequent\nP6,Named\n');
  expect([frequent.json().created, frequent.json().errors.length]).toEqual([1, 1]);
  // As an export marks it.
  await insert(`unnest(ARRAY['=Marked'])`);
  expect((await lines(`P7,'=Marked\n`)).json()).toMatchObject({ created: 1, errors: [] });
});

// Asserts contract/imports.md#columns, contract/imports.md#modes, contract/imports.md#rights.
test('hidden instances have no names, and are not deleted; hidden attributes are no columns', async () => {
  const [seen, hidden] = ['00000000-0000-4000-8000-0000000f00e1', '00000000-0000-4000-8000-0000000f00e2'];
  await data.query(
    `INSERT INTO x.item (id, version, title, number) VALUES ($1, 1, 'Secret', 1), ($2, 1, 'Secret', 5), (gen_random_uuid(), 1, 'Hidden', 5)`,
    [seen, hidden],
  );
  const columns = encodeURIComponent(JSON.stringify({ Item: 'item._instanceName' }));
  const target = `x_Line?refused=skip&columns=${columns}`;
  const file = 'label,Item\nS1,Secret\nS2,Hidden\nS3,None\n';
  const { json } = await send(target, file, CSV, {}, 'writer');
  const reasons = json().errors.map(({ reason }: { reason: string }) => reason);
  expect([json().created, reasons]).toEqual([
    1,
    ['Hidden', 'None'].map((name) => `There is no instance with the name '${name}'`),
  ]);
  const nameless = await send(target, file, CSV, {}, 'nameless');
  expect([nameless.status, nameless.json().details]).toEqual([400, expect.stringContaining("'Item' is no attribute")]);
  await data.query(`DELETE FROM x.line WHERE label = 'S1'`);
  const ids = `id\n${hidden}\n00000000-0000-4000-8000-0000000f00e9\n${seen}\n`;
  const removed = await send('x_Item?mode=delete&refused=skip', ids, CSV, {}, 'writer');
  expect([removed.json().deleted, removed.json().errors]).toEqual([
    1,
    [1, 2].map((row) => ({ row, reason: 'There is no such instance' })),
  ]);
  expect(await data.query('SELECT id FROM x.item WHERE id = ANY ($1)', [[seen, hidden]])).toEqual([{ id: hidden }]);
  const byTitle = await send('x_Item?mode=delete&key=title', 'title\nSecret\n', CSV, {}, 'nameless');
  expect(byTitle.status).toBe(400);
});

// Asserts contract/imports.md#columns, contract/imports.md#modes.
test('names may be numbers, and other texts are the name of no instance; rows are deleted by numbers', async () => {
  const created = await send('x_Size', '{"number":41}\n{"number":42}\n{"number":43}\n', 'application/x-ndjson');
  expect(created.json().created).toBe(3);
  const columns = encodeURIComponent(JSON.stringify({ Size: 'size._instanceName' }));
  const { json } = await send(`x_Shoe?refused=skip&columns=${columns}`, 'name,Size\nA,42\nB,large\nC,41\n');
  expect(json()).toMatchObject({
    created: 2,
    errors: [{ row: 2, column: 'Size', reason: "There is no instance with the name 'large'" }],
  });
  await data.query('DELETE FROM x.shoe');
  const lines = await send('x_Size?mode=delete&key=number', '{"number":41}\n{"number":42}\n', 'application/x-ndjson');
  expect(lines.json()).toMatchObject({ deleted: 2, errors: [] });
  expect((await send('x_Size?mode=delete&key=number', 'number\n43\n')).json()).toMatchObject({ deleted: 1 });
});

// Asserts contract/imports.md#columns, contract/dynamic-attributes.md#dynamic-attributes.
test('dynamic attributes are columns, with the right to change the instance', async () => {
  await send('x_Kind', 'code,name\nN1,one\n');
  const kind = (await data.query(`SELECT id FROM x.kind WHERE code = 'N1'`))[0]?.['id'];
  const categoryAttrs = [
    { name: 'Color', code: 'color', dataType: 'STRING', orderNo: 0 },
    { name: 'Twin', code: 'twin', dataType: 'ENTITY', entityClass: 'x_Kind', orderNo: 1 },
  ];
  const category = { name: 'Kinds', entityType: 'x_Kind', categoryAttrs };
  expect((await data.send('admin', 'POST', '/entities/dynat_Category', category)).status).toBe(201);
  const file = `code,+color,+twin\nN1,'=red,${kind}\n`;
  expect((await send('x_Kind?key=code', file, CSV, {}, 'reader')).status).toBe(403);
  const { json } = await send('x_Kind?key=code', file, CSV, {}, 'editor');
  expect([json().updated, json().errors, json().ignored]).toEqual([1, [], []]);
  const read = await data.send('admin', 'GET', `/entities/x_Kind/${kind}?dynamicAttributes=true`);
  expect(read.json()).toMatchObject({ '+color': '=red', '+twin': { id: kind } });
});

// Asserts contract/imports.md#ignored, contract/imports.md#refused.
test('reports are short, however many names and reasons a file has', async () => {
  const names = Array.from({ length: 1_500 }, (_, at) => `"${'n'.repeat(50)}${at}${'x'.repeat(50)}":1`).join();
  const { json } = await send(
    'x_Kind?mode=delete&refused=skip&key=code',
    `{"code":"Zz",${names}}`,
    'application/x-ndjson',
  );
  const { ignored } = json();
  expect([ignored.length, ignored.at(-1), ignored[0].length]).toEqual([1_001, '*', 60]);
  const tags = Array.from({ length: 30 }, () => 'x'.repeat(21));
  const refused = await send('x_Item', JSON.stringify({ title: 'Wrong', tags }), 'application/x-ndjson');
  expect([refused.json().refused, refused.json().errors.length]).toEqual([1, 20]);
});

// Asserts contract/imports.md#refused.
test('constraints that a database tests at the commit refuse single rows', async () => {
  await data.query('ALTER TABLE x.shoe ADD CONSTRAINT uq_name UNIQUE (name) DEFERRABLE INITIALLY DEFERRED');
  const file = 'name\nD1\nD2\nD1\nD3\n';
  const { status, json } = await send('x_Shoe?refused=skip', file);
  expect([status, json().created, json().errors]).toMatchObject([200, 3, [{ row: 3 }]]);
  expect((await send('x_Shoe', file.replaceAll('D', 'E'))).status).toBe(409);
  await data.query('ALTER TABLE x.shoe DROP CONSTRAINT uq_name');
  expect(await data.query(`SELECT name FROM x.shoe WHERE name ~ '[DE].' ORDER BY 1`)).toHaveLength(3);
});

// Asserts contract/imports.md#modes.
test('instances are deleted by a unique attribute or their id, all or as far as they are there', async () => {
  await send('x_Kind', 'code,name\nZd1,one\nZd2,two\nZd3,three\nZd4,four\n');
  const file = 'code,name\nZd1,x\nZd9,x\nZd1,x\nZd2,x\n';
  const refused = await send('x_Kind?mode=delete&key=code', file);
  expect([refused.status, refused.json().refused]).toEqual([400, 2]);
  expect(await kinds('Zd')).toHaveLength(4);
  const rehearsed = await send('x_Kind?mode=delete&key=code&refused=skip&dryRun=true', file);
  expect(rehearsed.json()).toMatchObject({
    deleted: 2,
    refused: 2,
    changes: [{ change: 'deleted' }, { change: 'deleted' }],
  });
  const { status, json } = await send('x_Kind?mode=delete&key=code&refused=skip', file);
  expect([status, json().deleted, json().ignored, json().errors]).toEqual([
    200,
    2,
    ['name'],
    [2, 3].map((row) => ({ row, reason: 'There is no such instance' })),
  ]);
  const shown = await data.send(
    'admin',
    'GET',
    '/entities/x_Kind/search?sort=code&filter={"conditions":[{"property":"code","operator":"startsWith","value":"Zd"}]}',
  );
  const [third] = shown.json();
  expect(shown.json().map(({ code }: { code: string }) => code)).toEqual(['Zd3', 'Zd4']);
  const byId = await send('x_Kind?mode=delete', `{"id":"${third.id}"}\n{"code":"Zd4"}\n`, 'application/x-ndjson');
  expect(byId.json().errors).toEqual([{ row: 2, attribute: 'id', reason: expect.stringContaining("'id'") }]);
  expect((await send('x_Kind?mode=delete', `id\n${third.id}\n`)).json().deleted).toBe(1);
  const strict = await send('x_Kind?mode=delete&key=code', 'code,name\nZd4,x\n', CSV, { prefer: 'handling=strict' });
  expect([strict.status, strict.json().errors]).toEqual([
    400,
    [{ row: 1, column: 'name', attribute: 'name', reason: expect.stringContaining("'name'") }],
  ]);
  expect((await send('x_Kind?mode=delete&key=code', 'code\nZd4\n', CSV, {}, 'editor')).status).toBe(403);
  for (const key of ['name', 'none', 'code,name', 'country,year'])
    expect((await send(`x_Kind?mode=delete&key=${key}`, 'code\nZd4\n')).status).toBe(400);
  expect((await data.send('admin', 'GET', `/entities/x_Kind/${shown.json()[1].id}`)).status).toBe(200);
});

// Asserts contract/imports.md#modes, contract/imports.md#columns.
test('instances are written and deleted by keys of several attributes', async () => {
  const file = 'country,year,value\nDE,2025,1\nDE,2026,2\nFR,2026,3\n';
  const target = 'x_Rate?refused=skip&key=country,year';
  expect((await send(target, file)).json()).toMatchObject({ created: 3, errors: [] });
  const named = 'country.code,year,value\nDE,2026,2\nFR,2026,4\nFR,2027,5\n';
  expect((await send(`${target}&mode=update`, named)).json()).toMatchObject({
    ...{ updated: 1, unchanged: 1 },
    errors: [{ row: 3, reason: 'There is no such instance' }],
  });
  const removed = 'year,country.code,value\n2026,DE,2\n2026,DE,2\n2027,FR,5\n,FR,5\n2026,IT,5\n2025,DE,1\n';
  const rehearsed = await send(`${target}&mode=delete&dryRun=true`, removed);
  expect(rehearsed.json().changes.map(({ change }: { change: string }) => change)).toEqual(['deleted', 'deleted']);
  expect((await send(`${target}&mode=delete`, removed)).json()).toMatchObject({
    ...{ deleted: 2, ignored: ['value'] },
    errors: [
      { row: 2, reason: 'There is no such instance' },
      { row: 3, reason: 'There is no such instance' },
      { row: 4, column: 'year', reason: expect.stringContaining("'year' must have a valid value") },
      { row: 5, reason: 'There is no such instance' },
    ],
  });
  expect(await data.query('SELECT country_code, year FROM x.rate')).toEqual([{ country_code: 'FR', year: 2026 }]);
  for (const key of ['country', 'year,country,value'])
    expect((await send(`x_Rate?mode=delete&key=${key}`, file)).json().details).toContain("'country,year'");
});

// Asserts contract/imports.md#modes, contract/imports.md#columns, contract/instances.md#ids.
test('instances with a composite id are written and deleted by it, in each of its forms', async () => {
  const seats = () => data.query('SELECT seat_row AS row, guest FROM x.booking ORDER BY 1');
  const file = 'seat.row,seat.letter,guest\n1,A,Ann\n2,A,Ben\n3,A,Cem\n4,A,Dan\n';
  expect((await send('x_Booking', file)).json()).toMatchObject({ created: 4, errors: [] });
  const again = await send('x_Booking?mode=upsert&key=seat', file.replace('Dan', 'Don').replace('4,A', '5,A'));
  expect(again.json()).toMatchObject({ created: 1, unchanged: 3, errors: [] });
  const { text } = await data.send('admin', 'GET', '/entities/x_Booking?sort=guest', undefined, { accept: CSV });
  expect((await send('x_Booking?mode=update', text.replace('"Don"', '"Eve"'))).json()).toMatchObject({
    ...{ updated: 1, unchanged: 4 },
    errors: [],
  });
  const id = Buffer.from('{"row":1,"letter":"A"}').toString('base64url');
  const byId = await send('x_Booking?mode=delete', `id\n${id}\n`);
  expect(byId.json()).toMatchObject({ deleted: 1, errors: [] });
  const byParts = await send('x_Booking?mode=delete&key=seat', 'seat.row,seat.letter\n2,A\n');
  expect(byParts.json()).toMatchObject({ deleted: 1, errors: [] });
  const lines = ['{"id":{"row":3,"letter":"A"}}', '{"seat":{"row":4,"letter":"A"}}', '{"seat":{"row":5}}'];
  const byJson = await send('x_Booking?mode=delete&refused=skip', lines.join('\n'), 'application/x-ndjson');
  expect(byJson.json()).toMatchObject({ deleted: 2, errors: [{ row: 3, attribute: 'seat' }] });
  expect(await seats()).toEqual([{ row: 5, guest: 'Eve' }]);
});

// Asserts contract/imports.md#modes.
test('a row of a deletion that has two ids is refused', async () => {
  expect((await send('x_Size', 'number\n71\n72\n')).json()).toMatchObject({ created: 2 });
  const sizes = () => data.query('SELECT number FROM x.size WHERE number IN (71, 72)');
  const reason = "Attribute 'number' is another id than 'id'";
  for (const key of ['', '&key=number', '&key=id'])
    expect((await send(`x_Size?mode=delete${key}`, 'id,number\n71,72\n')).json()).toMatchObject({
      errors: [{ row: 1, column: 'number', attribute: 'number', reason }],
    });
  expect(await sizes()).toHaveLength(2);
  expect((await send('x_Size?mode=delete', 'id,number\n71,71\n,72\n')).json()).toMatchObject({ deleted: 2 });
  expect(await sizes()).toEqual([]);
});
