import { setTimeout as sleep } from 'node:timers/promises';
import { defineApplication, entityListener } from '@lintel/application';
import { workbook } from '@lintel/documents';
import { fileRef, integer, standardEntity, string, text } from '@lintel/metadata';
import { entityPolicy, modifyAttributes, resourceRole, specificPolicy, viewAttributes } from '@lintel/security';
import { eventually } from '@lintel/testkit';
import type { StoredFiles } from '../../src/unreferenced-files/stored-files.ts';
import { type DataFixture, startData } from '../data-fixture.ts';

/** Called with the code of each part before it is stored. */
let onSave: (code: string) => void | Promise<void> = () => {};

const application = defineApplication({
  id: 'l',
  name: 'Large imports',
  entities: [
    standardEntity('l_Part', {
      attributes: { code: string(20).mandatory().unique(), name: text(), size: integer().min(0) },
    }),
    standardEntity('l_Letter', { attributes: { file: fileRef() }, accessLog: true }),
  ],
  roles: [
    resourceRole('l-parts', {
      name: 'Parts',
      policies: [
        specificPolicy('rest.enabled'),
        specificPolicy('rest.fileDownload.enabled'),
        entityPolicy('l_Part', 'create', 'read', 'update'),
        entityPolicy('l_Letter', 'read'),
        viewAttributes('l_Letter', '*'),
        viewAttributes('l_Part', '*'),
        modifyAttributes('l_Part', '*'),
      ],
    }),
    resourceRole('l-auditor', {
      name: 'Auditor',
      childRoles: ['rest-minimal'],
      policies: [entityPolicy('l_Letter', 'read'), specificPolicy('access-log.read')],
    }),
    resourceRole('l-no-files', {
      name: 'Parts without files',
      policies: [specificPolicy('rest.enabled'), entityPolicy('l_Part', 'create', 'read')],
    }),
  ],
  listeners: [entityListener({ entity: 'l_Part', beforeSave: async ({ after }) => onSave(String(after?.['code'])) })],
});

const USER = '01890000-0000-7000-8000-0000000000a1';
const files = new Map<string, Uint8Array>();
const parts: unknown[] = [];
const storedFiles: StoredFiles = {
  store: () => Promise.reject(new Error('Nothing is stored')),
  list: async () => ({ files: [], next: null }),
  describe: async (fileRefs) =>
    fileRefs.flatMap((fileRef) => {
      const file = files.get(fileRef);
      const path = fileRef.slice('fs://'.length).split('?', 1)[0] ?? '';
      const lastModified = '2026-11-21T00:00:00Z';
      const isOfReader = !fileRef.includes('/letters/');
      return file === undefined ? [] : [{ storage: 'fs', path, size: file.length, lastModified, isOfReader }];
    }),
  async read(fileRef, part) {
    parts.push(part);
    return files.get(fileRef)?.subarray(part?.from, part && part.from + part.bytes);
  },
  remove: async () => {},
};

let data: DataFixture;
beforeAll(async () => {
  data = await startData(
    application,
    {
      ada: { resourceRoles: ['l-parts'], userId: USER },
      bo: { resourceRoles: ['l-parts'], userId: USER.replace('a1', 'b1') },
      nofiles: { resourceRoles: ['l-no-files'], userId: USER.replace('a1', 'c1') },
      auditor: { resourceRoles: ['l-auditor'] },
      machine: { resourceRoles: ['l-parts'], kind: 'client' },
    },
    { 'svc.files.access': 'references' },
    undefined,
    { storedFiles },
  );
  for (const [username, id] of Object.entries({ ada: 'a1', bo: 'b1', nofiles: 'c1' })) {
    await data.query(`INSERT INTO sec."user" (id, version, username, active) VALUES ($1, 1, $2, true)`, [
      USER.replace('a1', id),
      username,
    ]);
    await data.query(
      `INSERT INTO sec.role_assignment (id, version, username, role_code, role_type)
       VALUES (gen_random_uuid(), 1, $1, $2, 'resource')`,
      [username, username === 'nofiles' ? 'l-no-files' : 'l-parts'],
    );
  }
  await data.service.start();
});
afterAll(() => data?.close());
beforeEach(async () => {
  onSave = () => {};
  await data.query('DELETE FROM l.part');
});

const CSV = 'text/csv';
const JSON_TYPE = { 'content-type': 'application/json' };
let number = 0;

function stored(content: string | Uint8Array): string {
  number += 1;
  const fileRef = `fs://2026/11/21/${number}.csv?name=parts.csv`;
  files.set(fileRef, typeof content === 'string' ? Buffer.from(content) : content);
  return fileRef;
}

const send = (file: string, query = '', { type = CSV, headers = {}, user = 'ada' } = {}) =>
  data.send(user, 'POST', `/imports/l_Part${query}`, { file, type }, { ...JSON_TYPE, ...headers });

async function ended(id: string, user = 'ada') {
  for (const end = Date.now() + 100_000; ; await sleep(50)) {
    const run = (await data.send(user, 'GET', `/service-runs/${id}`)).json();
    if (!['QUEUED', 'RUNNING'].includes(run.status)) return run;
    if (Date.now() > end) throw new Error(`Nothing came: ${JSON.stringify(run)}`);
  }
}

async function imported(...args: Parameters<typeof send>) {
  const response = await send(...args);
  expect([response.status, response.text]).toEqual([202, expect.any(String)]);
  return ended(response.json().id);
}

const table = (run: string, accept: string, user = 'ada') =>
  data.send(user, 'GET', `/service-runs/${run}`, undefined, { accept });

const codes = async () => (await data.query('SELECT code FROM l.part ORDER BY code')).map(({ code }) => code);
const rowsOf = (count: number, rowOf: (at: number) => string) =>
  `code,name,size\n${Array.from({ length: count }, (_, at) => `${rowOf(at)}\n`).join('')}`;

// Asserts contract/imports.md#background.
test('an uploaded file is imported as a run, which has the report as its result', async () => {
  // More than is read at once.
  const file = stored(rowsOf(450, (at) => `A${at},${'n'.repeat(10_000)},${at}`));
  parts.length = 0;
  const response = await send(file);
  const { id, service, method } = response.json();
  expect([response.status, response.headers.get('location'), service, method]).toEqual([
    202,
    `/rest/service-runs/${id}`,
    'imports',
    'l_Part',
  ]);
  const run = await ended(id);
  expect(run).toMatchObject({
    status: 'SUCCEEDED',
    progress: { done: 450, of: 450 },
    result: {
      rows: 450,
      created: 450,
      refused: 0,
      errors: [],
      columns: [{ column: 'code', attribute: 'code' }, {}, {}],
    },
  });
  expect(parts).toContainEqual({ from: 4_194_304, bytes: 4_194_304 });
  expect(await codes()).toHaveLength(450);
  expect((await data.send('bo', 'GET', `/service-runs/${id}`)).status).toBe(404);
});

// Asserts contract/imports.md#background, contract/imports.md#refused.
test('refused rows are left out, or the run fails with the report and imports nothing', async () => {
  const file = stored(rowsOf(5, (at) => `B${at},x,${at === 3 ? -1 : at}`));
  const failed = await imported(file);
  expect(failed).toMatchObject({
    status: 'FAILED',
    error: { status: 400, error: 'Import refused', refused: 1, errors: [{ row: 4, column: 'size' }] },
  });
  expect(await codes()).toEqual([]);
  const { result } = await imported(file, '?refused=skip');
  expect(result).toMatchObject({ created: 4, refused: 1, errors: [{ row: 4, column: 'size' }] });
  expect(await codes()).toEqual(['B0', 'B1', 'B2', 'B4']);
  const unmapped = await imported(stored('code,Farbe\nB9,x\n'));
  expect(unmapped.error).toMatchObject({ status: 400, columns: [{}, { column: 'Farbe', attribute: null }] });
  const broken = await imported(stored('code\n"B9\n'));
  expect(broken.error).toMatchObject({ status: 400, details: expect.stringContaining('is not closed') });
  const rehearsed = await imported(stored('code\nB9\n'), '?dryRun=true');
  expect(rehearsed.result).toMatchObject({ created: 1, changes: [{ entity: 'l_Part', change: 'created' }] });
  expect(await codes()).toHaveLength(4);
});

// Asserts contract/imports.md#refusals.
test('the refused rows of a run are a table, with the reasons', async () => {
  const file = stored('code,name,size\nG1,x,-1\n=G2,x,x\n');
  const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  for (const query of ['', '?refused=skip', '?dryRun=true']) {
    const { id } = await imported(file, query);
    const csv = await table(id, CSV);
    expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv;charset=utf-8']);
    const [header, ...lines] = csv.text.trim().split('\n');
    expect([header, ...lines]).toEqual([
      expect.stringContaining('"row","column","attribute","reason"'),
      expect.stringMatching(/^"1","size","size","[^"]+"$/),
      expect.stringMatching(/^"2","size","size","/),
    ]);
    const workbook = await table(id, xlsx);
    expect([workbook.status, workbook.headers.get('content-type'), workbook.text.slice(0, 2)]).toEqual([
      200,
      xlsx,
      'PK',
    ]);
    expect((await table(id, CSV, 'bo')).status).toBe(404);
  }
  const broken = await imported(stored('code\n"B9\n'));
  expect((await table(broken.id, CSV)).status).toBe(406);
});

// Asserts contract/imports.md#background.
test.each(['?refused=skip', ''])(
  'an interrupted import%s goes on, and imports no row twice',
  async (query) => {
    const failures: string[] = [];
    onSave = (code) => {
      if (code !== 'C3100' || failures.length > 0) return;
      failures.push(code);
      throw new Error('The database is away');
    };
    const run = await imported(
      stored(rowsOf(4_000, (at) => `C${at},x,${at === 50 ? -1 : at}`).replace(',-1', query === '' ? ',1' : ',-1')),
      query,
    );
    const refused = query === '' ? 0 : 1;
    expect([run.status, run.result.created, run.result.refused, failures]).toEqual([
      'SUCCEEDED',
      4_000 - refused,
      refused,
      ['C3100'],
    ]);
    expect(await codes()).toHaveLength(4_000 - refused);
  },
  60_000,
);

// Asserts contract/imports.md#background.
test('a cancelled import keeps the batches before, or nothing', async () => {
  for (const [query, least] of [
    ['?refused=skip', 1_000],
    ['', 0],
  ] as const) {
    let cancelled: Promise<unknown> | undefined;
    const id = { run: '' };
    onSave = (code) => {
      if (code === 'D2500') cancelled ??= data.send('ada', 'DELETE', `/service-runs/${id.run}`);
    };
    const response = await send(stored(rowsOf(30_000, (at) => `D${at},x,${at}`)), query);
    id.run = response.json().id;
    const run = await ended(id.run);
    expect(run.status).toBe('CANCELLED');
    await cancelled;
    await sleep(0);
    const stays = (await codes()).length;
    expect([stays >= least, stays < 30_000]).toEqual([true, true]);
    if (query === '') expect(stays).toBe(0);
    await data.query('DELETE FROM l.part');
  }
});

// Asserts contract/imports.md#background.
test('a repeat with the same idempotency key has the same run', async () => {
  const file = stored('code\nE1\n');
  const headers = { 'idempotency-key': 'parts-of-may' };
  const first = await send(file, '', { headers });
  await ended(first.json().id);
  const second = await send(file, '', { headers });
  expect([second.status, second.json().id, second.json().status]).toEqual([202, first.json().id, 'SUCCEEDED']);
  expect([first, second].map((each) => each.headers.get('idempotency-replayed'))).toEqual([null, 'true']);
  expect((await send(file, '?refused=skip', { headers })).status).toBe(422);
  for (const prefer of ['tx=rollback', 'handling=strict'])
    expect((await send(file, '', { headers: { ...headers, prefer } })).status).toBe(422);
  const other = await send(file, '?key=code', { headers, user: 'bo' });
  expect([other.status, other.json().id === first.json().id]).toEqual([202, false]);
  await ended(other.json().id, 'bo');
  expect(await codes()).toEqual(['E1']);
});

// Asserts contract/imports.md#once.
test('a table with an idempotency key is imported once, and a refused one keeps nothing', async () => {
  const post = (body: string, query = '', headers = {}, user = 'ada') =>
    data.send(user, 'POST', `/imports/l_Part${query}`, body, {
      ...{ 'content-type': CSV, 'idempotency-key': 'direct' },
      ...headers,
    });
  expect((await post('code,size\nH1,1\nH2,-1\n')).status).toBe(400);
  expect((await post('code\nH1\nH2\n', '?dryRun=true')).json().created).toBe(2);
  let during: number | undefined;
  onSave = async (code) => {
    if (code === 'H1') during = (await post('code\nH1\nH2\n')).status;
  };
  const first = await post('code\nH1\nH2\n');
  expect([first.status, first.json().created, during]).toEqual([200, 2, 409]);
  onSave = () => {};
  const second = await post('code\nH1\nH2\n');
  expect([second.status, second.headers.get('idempotency-replayed'), second.text]).toEqual([200, 'true', first.text]);
  expect([first.headers.get('idempotency-replayed'), await codes()]).toEqual([null, ['H1', 'H2']]);
  const others = [
    post('code\nH3\n'),
    post('code\nH1\nH2\n', '?mode=upsert&key=code'),
    post('code\nH1\nH2\n', '', { prefer: 'handling=strict' }),
    post('code\nH1\nH2\n', '', { 'content-type': `${CSV};charset=utf-8` }),
  ];
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([422, 422, 422, 422]);
  expect((await post('code\nH4\n', '', {}, 'bo')).json().created).toBe(1);
  const skipped = await post('code\nH5\n', '?refused=skip');
  expect([skipped.status, skipped.json().details]).toEqual([
    400,
    'Idempotency-Key with refused=skip is for stored files alone',
  ]);
  expect((await post('code\nH6\n', '?dryRun=true', { 'idempotency-key': 'ä' })).status).toBe(400);
  expect(await codes()).toEqual(['H1', 'H2', 'H4']);
});

// Asserts contract/imports.md#background.
test('files that are not there, wrong types, and callers without the rights are refused at once', async () => {
  const file = stored('code\nF1\n');
  const outcome = async (...args: Parameters<typeof send>) => {
    const { status, json } = await send(...args);
    return [status, json().details];
  };
  expect(await outcome('fs://2026/11/21/none.csv?name=x')).toEqual([400, 'file: there is no such file']);
  expect(await outcome('nonsense')).toEqual([400, 'file: there is no such file']);
  expect(await outcome(file, '', { type: 'text/plain' })).toEqual([415, expect.stringContaining('must be text/csv')]);
  expect(await outcome(file, '', { type: 'text/csv;charset=none' })).toEqual([400, expect.stringContaining("'none'")]);
  expect(await outcome(file, '?key=name')).toEqual([400, expect.stringContaining("Parameter 'key'")]);
  expect(await outcome(file, '', { user: 'nofiles' })).toEqual([403, 'File download is not permitted']);
  expect(await outcome(file, '', { user: 'machine' })).toEqual([400, 'Stored files are imported for users alone']);
  const extra = await data.send('ada', 'POST', '/imports/l_Part', { file, type: CSV, other: 1 }, JSON_TYPE);
  expect([extra.status, extra.json().details]).toEqual([400, expect.stringContaining('other')]);
  expect(await codes()).toEqual([]);
});

// Asserts contract/imports.md#background, contract/access-log.md#recorded.
test('an import of a file that a recorded instance refers to is recorded as its download is', async () => {
  const file = 'fs://2026/11/21/letters/1.csv?name=letter.csv';
  files.set(file, Buffer.from('code\nL1\n'));
  expect((await send(file)).json().details).toBe('file: there is no such file');
  await data.query(`INSERT INTO l.letter (id, version, file) VALUES ($1, 1, $2)`, [USER, file]);
  expect(await imported(file)).toMatchObject({ status: 'SUCCEEDED', result: { created: 1 } });
  const entries = await eventually(async () => {
    const { json } = await data.send('auditor', 'GET', '/access-log?limit=100');
    expect(json()).not.toEqual([]);
    return json();
  });
  expect(entries).toEqual([
    expect.objectContaining({ operation: 'file', entity: 'l_Letter', ids: [USER], count: 1, user: 'ada' }),
  ]);
});

// Asserts contract/imports.md#background.
test('more rows than one transaction may have are imported in batches alone', async () => {
  const file = stored('{}\n'.repeat(100_001));
  const { error } = await imported(file, '', { type: 'application/x-ndjson' });
  expect(error).toMatchObject({ status: 400, details: expect.stringContaining('100001 rows') });
  const { result } = await imported(file, '?refused=skip', { type: 'application/x-ndjson' });
  expect(result).toMatchObject({ refused: 1_000, isStopped: true });
});

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const MIB = 1_048_576;
/** Rows that are right, and more than one part of a file. */
const before = `code,name\n${`I0,${'x'.repeat(1_000)}\n`.repeat(5_000)}`;

/** A workbook whose directory says that a part has 2 GB. */
function largeSheet(): Uint8Array {
  const file = Buffer.from(workbook({ sheets: [{ name: 'A', cells: { A1: 'code', A2: 'I1' } }] }));
  // The size is 24 bytes after the beginning of the entry (APPNOTE.TXT of ZIP, 4.3.12).
  file.writeUInt32LE(2_000_000_000, file.indexOf('PK\u0001\u0002') + 24);
  return file;
}

// Asserts contract/imports.md#files, contract/imports.md#xlsx, contract/imports.md#background.
test.each<readonly [string, string, () => string | Uint8Array, string]>([
  ['an empty file', CSV, () => '', 'The file is empty'],
  [
    'a cell of 100 MB',
    CSV,
    () => Buffer.alloc(100 * MIB, 'code\n', 'latin1').fill('x', 5),
    'Line 2 has a row of more than',
  ],
  [
    'a line of 100 MB',
    'application/x-ndjson',
    () => Buffer.alloc(100 * MIB, '{'),
    'A line has more than 1048576 bytes',
  ],
  ['16,384 columns', CSV, () => `code${',c'.repeat(16_383)}\nI1\n`, 'A row has 16384 cells, at most 1000'],
  [
    'a second encoding',
    CSV,
    () => Buffer.concat([Buffer.from(`${before}I1,ä\n`), Buffer.from('I2,ä\n', 'latin1')]),
    'The file is not valid utf-8',
  ],
  ['a NUL after other rows', CSV, () => `${before}I1,\0\n`, 'Line 5002 contains a NUL character'],
  ['a quotation mark inside of a cell', CSV, () => `${before}I"1,x\n`, 'Line 5002 has a quotation mark inside'],
  ['a quotation mark that is not closed', CSV, () => `${before}"I1,x\n`, 'has a quotation mark that is not closed'],
  ['a workbook of 2 GB', XLSX, largeSheet, 'has 2000000000 bytes'],
  ['a workbook of 100 MB', XLSX, () => Buffer.alloc(100 * MIB, 'PK'), 'the file has more than 33554432 bytes'],
])(
  '%s is refused, nothing is imported, and no more than necessary is read',
  async (_name, type, make, details) => {
    const content = make();
    parts.length = 0;
    const run = await imported(stored(content), '?refused=skip', { type });
    expect([run.status, run.error]).toEqual([
      'FAILED',
      { status: 400, error: 'Cannot read the file', details: expect.stringContaining(details) },
    ]);
    expect(await codes()).toEqual([]);
    expect(parts.length).toBeLessThanOrEqual(10);
  },
  30_000,
);
