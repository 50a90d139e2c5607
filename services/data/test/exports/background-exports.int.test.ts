import { setTimeout as sleep } from 'node:timers/promises';
import { defineApplication } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import { decimal, standardEntity, string } from '@lintel/metadata';
import {
  entityPolicy,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  specificPolicy,
  viewAttributes,
} from '@lintel/security';
import { eventually } from '@lintel/testkit';
import type { NewFile, StoredFiles } from '../../src/unreferenced-files/stored-files.ts';
import { type DataFixture, startData } from '../data-fixture.ts';

const ROWS = 3_000;
const application = defineApplication({
  id: 'b',
  name: 'Exports in the background',
  entities: [
    standardEntity('b_Part', {
      attributes: { code: string(20), secret: string(20), email: string(50).personal(), price: decimal(19, 4) },
      accessLog: true,
    }),
  ],
  roles: [
    resourceRole('b-parts', {
      name: 'Parts',
      policies: [
        specificPolicy('rest.enabled'),
        specificPolicy('rest.fileDownload.enabled'),
        specificPolicy('rest.fileUpload.enabled'),
        entityPolicy('b_Part', 'read'),
        viewAttributes('b_Part', 'id', 'code', 'email', 'price'),
      ],
    }),
    resourceRole('b-no-uploads', {
      name: 'Parts without uploads',
      policies: [
        specificPolicy('rest.enabled'),
        specificPolicy('rest.fileDownload.enabled'),
        entityPolicy('b_Part', 'read'),
        viewAttributes('b_Part', '*'),
      ],
    }),
    resourceRole('b-no-files', {
      name: 'Parts without files',
      policies: [specificPolicy('rest.enabled'), entityPolicy('b_Part', 'read'), viewAttributes('b_Part', '*')],
    }),
  ],
  rowLevelRoles: [rowLevelRole('b-some', { name: 'Some', policies: [queryPolicy('b_Part', "{E}.code <> 'P7'")] })],
});

interface Kept extends Pick<NewFile, 'name' | 'contentType'> {
  readonly bytes: Buffer;
  readonly uploader: string;
}
const files = new Map<string, Kept>();
/** Whether the storage is away. */
let isAway = false;
/** Called for each piece that is stored. */
let onPiece: () => void | Promise<void> = () => {};
const storedFiles: StoredFiles = {
  async store({ name, contentType, content }, { username }, signal) {
    if (isAway) throw new PlatformError('FILE_STORAGE_UNAVAILABLE', 'Files cannot be stored now');
    const pieces: Uint8Array[] = [];
    for await (const piece of content) {
      await onPiece();
      signal.throwIfAborted();
      pieces.push(piece);
    }
    const fileRef = `fs://2026/12/01/${files.size}?name=${name}`;
    const bytes = Buffer.concat(pieces);
    files.set(fileRef, { name, contentType, bytes, uploader: username });
    return { fileRef, name, size: bytes.length };
  },
  list: async () => ({ files: [], next: null }),
  describe: async () => [],
  read: async () => undefined,
  async remove(fileRef) {
    files.delete(fileRef);
  },
};

let data: DataFixture;
const ID = '01890000-0000-7000-8000-0000000000';
beforeAll(async () => {
  data = await startData(
    application,
    {
      ada: { resourceRoles: ['b-parts'], rowLevelRoles: ['b-some'], userId: `${ID}a1` },
      bo: { resourceRoles: ['b-parts'], userId: `${ID}b1` },
      nofiles: { resourceRoles: ['b-no-files'], userId: `${ID}c1` },
      nouploads: { resourceRoles: ['b-no-uploads'], userId: `${ID}c1` },
      machine: { resourceRoles: ['b-parts'], kind: 'client' },
    },
    {},
    undefined,
    { storedFiles },
  );
  for (const [username, id, role] of [
    ['ada', 'a1', 'b-parts'],
    ['bo', 'b1', 'b-parts'],
    ['nofiles', 'c1', 'b-no-files'],
  ]) {
    await data.query(`INSERT INTO sec."user" (id, version, username, active) VALUES ($1, 1, $2, true)`, [
      `${ID}${id}`,
      username,
    ]);
    await data.query(
      `INSERT INTO sec.role_assignment (id, version, username, role_code, role_type)
       VALUES (gen_random_uuid(), 1, $1, $2, 'resource')`,
      [username, role],
    );
  }
  await data.query(
    `INSERT INTO b.part (id, version, code, secret, email, price)
     SELECT gen_random_uuid(), 1, 'P' || n, 'hidden', 'p' || n || '@example.org', n + 0.1234
     FROM generate_series(1, ${ROWS}) AS n`,
  );
  await data.service.start();
});
afterAll(() => data?.close());
beforeEach(() => {
  isAway = false;
  onPiece = () => {};
  files.clear();
});

const NDJSON = 'application/x-ndjson';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Rows that the access log has. */
let logged = 0;
const LIST = '/entities/b_Part?sort=price';

async function ended(id: string, user = 'ada') {
  for (const end = Date.now() + 60_000; ; await sleep(20)) {
    const run = (await data.send(user, 'GET', `/service-runs/${id}`)).json();
    if (!['QUEUED', 'RUNNING'].includes(run.status)) return run;
    if (Date.now() > end) throw new Error(`Nothing came: ${JSON.stringify(run)}`);
  }
}
const openStatements = () =>
  data.query(
    `SELECT state, query FROM pg_stat_activity
     WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
  );
const exported = (accept: string, path = LIST, user = 'ada') =>
  data.send(user, 'GET', path, undefined, { accept, prefer: 'respond-async' });

// Asserts contract/exports.md#background.
test.each([
  ['csv', 'text/csv', 'text/csv;charset=utf-8'],
  ['csv', 'text/csv;headers=captions;values=locale', 'text/csv;charset=utf-8'],
  ['ndjson', NDJSON, NDJSON],
])('an export to %s (%s) becomes a file with the bytes of its response', async (format, accept, contentType) => {
  const direct = await data.send('ada', 'GET', LIST, undefined, { accept });
  const response = await exported(accept);
  const { id, service, method } = response.json();
  expect([response.status, service, method]).toEqual([202, 'exports', 'b_Part']);
  expect([response.headers.get('location'), response.headers.get('preference-applied')]).toEqual([
    `/rest/service-runs/${id}`,
    'respond-async',
  ]);
  const run = await ended(id);
  expect(run).toMatchObject({ status: 'SUCCEEDED', result: { name: `b_Part.${format}`, contentType } });
  expect(files.size).toBe(1);
  const file = files.get(run.result.fileRef);
  expect([file?.uploader, file?.contentType]).toEqual(['ada', contentType]);
  const marked = accept.includes('values=locale') ? '\uFEFF' : '';
  // A text of a response has no byte order mark.
  expect(file?.bytes.equals(Buffer.from(`${marked}${direct.text}`))).toBe(true);
  expect(direct.text).not.toMatch(/hidden|example\.org|\bP7\b/);
  expect((await data.send('bo', 'GET', `/service-runs/${id}`)).status).toBe(404);
  logged += 2 * (ROWS - 1);
  await eventually(async () =>
    expect(await data.query('SELECT operation, sum(count)::int AS count FROM history.access GROUP BY 1')).toEqual([
      { operation: 'list', count: logged },
    ]),
  );
});

// Asserts contract/exports.md#background.
test('searches become workbooks; the total and the cursor are in the result', async () => {
  const search = { filter: { conditions: [{ property: 'price', operator: '>', value: 5 }] }, limit: 10 };
  const headers = { accept: XLSX, prefer: 'respond-async' };
  const body = { ...search, returnCount: true, sort: 'price' };
  const response = await data.send('ada', 'POST', '/entities/b_Part/search', body, headers);
  expect(response.status).toBe(202);
  const { status, result } = await ended(response.json().id);
  expect([status, result.name, result.total, typeof result.next]).toEqual([
    'SUCCEEDED',
    'b_Part.xlsx',
    ROWS - 5,
    'string',
  ]);
  expect(files.get(result.fileRef)?.bytes.subarray(0, 2).toString()).toBe('PK');
  expect(await openStatements()).toEqual([]);
});

// Asserts contract/exports.md#background.
test('a wrong export is refused before a run is queued', async () => {
  const statusOf = async (...args: Parameters<typeof exported>) => (await exported(...args)).status;
  expect(await statusOf('text/csv', '/entities/b_Part?sort=unknown')).toBe(400);
  expect(await statusOf('text/csv;values=other')).toBe(406);
  expect(await statusOf('text/csv', '/entities/b_Other')).toBe(404);
  expect(await statusOf('text/csv', LIST, 'nofiles')).toBe(403);
  expect(await statusOf('text/csv', LIST, 'nouploads')).toBe(403);
  // Nothing is stored for JSON, and for callers that wait.
  expect(await statusOf('application/json')).toBe(200);
  expect(await statusOf('text/csv', LIST, 'machine')).toBe(200);
  expect(await data.query(`SELECT FROM job.job WHERE name = 'lintel.call' AND state <= 'active'`)).toEqual([]);
});

// Asserts contract/exports.md#background.
test('a cancelled export leaves no file', async () => {
  const begun = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  onPiece = () => {
    begun.resolve();
    return cancelled.promise;
  };
  const { id } = (await exported('text/csv')).json();
  await begun.promise;
  expect((await data.send('ada', 'DELETE', `/service-runs/${id}`)).status).toBe(204);
  // The signal of a run follows within seconds.
  await sleep(3_000);
  cancelled.resolve();
  expect((await ended(id)).status).toBe('CANCELLED');
  await sleep(200);
  expect(files.size).toBe(0);
});

// Asserts contract/exports.md#background.
test('a storage that fails fails the run, and no statement stays open', async () => {
  isAway = true;
  const { id } = (await exported('text/csv')).json();
  expect(await ended(id)).toMatchObject({ status: 'FAILED', error: { status: 503 } });
  expect(await openStatements()).toEqual([]);
});

// Asserts contract/exports.md#background.
test('rights are those at the time of the run', async () => {
  await data.query(`UPDATE sec."user" SET active = false WHERE username = 'bo'`);
  const { id } = (await exported('text/csv', LIST, 'bo')).json();
  expect(await ended(id, 'bo')).toMatchObject({ status: 'FAILED', error: { status: 401 } });
  expect(files.size).toBe(0);
});
