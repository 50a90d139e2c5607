import { bindApplication } from '@lintel/application';
import type { FileListing, ListedFile } from '@lintel/contracts';
import { arrayOf, elements, fileRef, standardEntity } from '@lintel/metadata';
import { fileLockSql } from '@lintel/reading';
import { createFileReferences } from '../../src/unreferenced-files/create-file-references.ts';
import type { StoredFiles } from '../../src/unreferenced-files/stored-files.ts';
import { sweepReleased } from '../../src/unreferenced-files/sweep-released.ts';
import { type DataFixture, NOW, startData } from '../data-fixture.ts';
import { shop } from '../shop-application.ts';

const DAY_MS = 86_400_000;
/** Storage of a test: the files by their paths. */
const stored = new Map<string, ListedFile>();
const files: StoredFiles = {
  store: () => Promise.reject(new Error('Nothing is stored')),
  async list(after, limit): Promise<FileListing> {
    const paths = [...stored.keys()].sort().filter((path) => after === undefined || `fs/${path}` > after);
    const listed = paths.slice(0, limit).map((path) => stored.get(path) as ListedFile);
    return { files: listed, next: paths.length > limit ? `fs/${paths[limit - 1]}` : null };
  },
  read: async () => undefined,
  describe: async (refs) => refs.flatMap((ref) => stored.get(pathOf(ref)) ?? []),
  remove: async (ref) => void stored.delete(pathOf(ref)),
};
const pathOf = (ref: string): string => /^fs:\/\/([^?]+)/.exec(ref)?.[1] ?? '';

let count = 0;
/** Stores a file, two days ago if nothing else is said. */
function store(name: string, more: { readonly ageMs?: number; readonly storedBy?: string } = {}): string {
  count += 1;
  const path = `2026/01/01/${String(count).padStart(4, '0')}-${name}`;
  const { ageMs = 2 * DAY_MS, storedBy } = more;
  const lastModified = new Date(Date.parse(`${NOW}Z`) - ageMs).toISOString();
  stored.set(path, { storage: 'fs', path, size: 5, lastModified, name, ...(storedBy !== undefined && { storedBy }) });
  return `fs://${path}?name=${name}`;
}

let data: DataFixture;
const PATH = '/operations/unreferenced-files';
const list = async (query = '') => {
  const response = await data.send('admin', 'GET', `${PATH}${query}`);
  expect(response.status).toBe(200);
  return response.json() as { readonly files: readonly { readonly fileRef: string }[]; readonly cursor: string | null };
};
const listed = async (): Promise<readonly string[]> => (await list()).files.map(({ fileRef }) => fileRef);
const remove = (...fileRefs: string[]) => data.send('admin', 'POST', `${PATH}/remove`, { fileRefs });
const refer = (file: string) => data.send('admin', 'POST', '/entities/t_Everything', { file });

beforeAll(async () => {
  const users = { admin: { resourceRoles: ['system-full-access'] }, clerk: { resourceRoles: ['clerk'] } };
  const attributes = { file: fileRef(), pages: elements(fileRef()), sheets: arrayOf(fileRef()) };
  const entities = [...(shop.entities ?? []), standardEntity('t_Scan', { attributes, history: true })];
  data = await startData(bindApplication({ ...shop, entities }, []), users, {}, undefined, { storedFiles: files });
});
afterAll(() => data.close());
beforeEach(() => stored.clear());

describe('files that nothing refers to (contract/operations.md#unreferenced-files)', () => {
  test('are old uploads without a reference in a row, a deleted row or a version of a report', async () => {
    const lost = store('lost.txt');
    const [used, ofReport] = [store('used.txt'), store('template.csv')];
    store('young.txt', { ageMs: DAY_MS / 2 });
    store('document.pdf', { storedBy: 'reports' });
    // Another name is no other file.
    expect((await refer(used.replace('used.txt', 'other.txt').replace('-other', '-used'))).status).toBe(201);
    const report = {
      name: 'Report',
      restAccess: true,
      definition: '{"bands":[]}',
      templates: [{ code: 'a', reportOutputType: 'CSV', isDefault: true, name: 'a.csv', content: ofReport }],
    };
    const created = await data.send('admin', 'POST', '/entities/report_Report', report);
    expect(created.status).toBe(201);
    expect(await listed()).toEqual([lost]);
    // The template is deleted; its version still refers to the file.
    const path = `/entities/report_Report/${created.json().id}`;
    expect((await data.send('admin', 'PUT', path, { templates: [] })).status).toBe(200);
    await data.query('DELETE FROM report.report_template');
    expect((await list()).files).toEqual([
      {
        fileRef: lost,
        name: 'lost.txt',
        size: 5,
        lastModified: new Date(Date.parse(`${NOW}Z`) - 2 * DAY_MS).toISOString(),
      },
    ]);
  });

  // Asserts contract/operations.md#unreferenced-files.
  test('a file of a former state is referred to as long as the state is recorded', async () => {
    const [file, page, sheet] = [store('file'), store('page'), store('sheet')];
    const created = await data.send('admin', 'POST', '/entities/t_Scan', { file, pages: [page], sheets: [sheet] });
    expect(created.status).toBe(201);
    await data.send('admin', 'PUT', `/entities/t_Scan/${created.json().id}`, { file: null, pages: [], sheets: [] });
    expect(await listed()).toEqual([]);
    const removed = (await remove(file, page, sheet)).json();
    expect(removed.map(({ result }: { result: string }) => result)).toEqual(Array(3).fill('referenced'));
    await data.query('DELETE FROM history.entry');
    expect(await listed()).toEqual([file, page, sheet]);
  });

  // Asserts contract/operations.md#unreferenced-files.
  test('are listed part by part; a part of files that are all referred to is empty and has a cursor', async () => {
    const refs = ['a', 'b', 'c', 'd', 'e'].map((name) => store(name));
    const first = await list('?limit=2');
    const second = await list(`?limit=3&cursor=${encodeURIComponent(first.cursor ?? '')}`);
    expect([...first.files, ...second.files].map(({ fileRef }) => fileRef)).toEqual(refs);
    stored.clear();
    for (let at = 0; at < 2_500; at += 1) store('young.txt', { ageMs: 0 });
    const last = store('lost.txt');
    const empty = await list();
    expect([empty.files, typeof empty.cursor]).toEqual([[], 'string']);
    expect(await list(`?cursor=${encodeURIComponent(empty.cursor ?? '')}`)).toMatchObject({
      files: [{ fileRef: last }],
      cursor: null,
    });
  });

  // Asserts contract/operations.md#unreferenced-files.
  test('are removed; what something refers to, is young, or is of a service stays', async () => {
    const [lost, used, young] = [store('lost'), store('used'), store('young', { ageMs: 0 })];
    const ofService = store('document', { storedBy: 'reports' });
    await refer(used);
    const removed = await remove(lost, used, young, ofService, 'fs://2026/01/01/none?name=none');
    expect(removed.json().map(({ result }: { result: string }) => result)).toEqual([
      'removed',
      'referenced',
      'recent',
      'unknown',
      'unknown',
    ]);
    expect([...stored.values()].map(({ name }) => name)).toEqual(['used', 'young', 'document']);
  });

  // Asserts contract/operations.md#unreferenced-files.
  test('are removed, a hundred with long names at once', async () => {
    const refs = Array.from({ length: 100 }, (_, at) => store(`${at}-${'n'.repeat(250)}`));
    const removed = await remove(...refs);
    expect([removed.status, removed.json()]).toEqual([200, refs.map((fileRef) => ({ fileRef, result: 'removed' }))]);
  });

  // Asserts contract/operations.md#unreferenced-files.
  test('a reference to a file that is removed is refused, at its attribute', async () => {
    const lost = store('lost');
    expect((await remove(lost)).json()).toEqual([{ fileRef: lost, result: 'removed' }]);
    const refused = await refer(lost);
    expect([refused.status, refused.json()]).toEqual([
      400,
      [
        expect.objectContaining({
          path: 'file',
          message: 'The file was removed: upload it again',
          messageTemplate: '{lintel.validation.FileRemoved.message}',
          invalidValue: lost,
        }),
      ],
    ]);
    expect(await data.query('SELECT 1 FROM t.everything WHERE file LIKE $1', [`%${pathOf(lost)}%`])).toEqual([]);
  });

  // Asserts contract/operations.md#unreferenced-files.
  test('of a removal and a reference at the same time one has an effect, however they meet', async () => {
    const refs = Array.from({ length: 40 }, (_, at) => store(`file-${at}`));
    const written = refs.map(refer);
    const removals = [remove(...refs.slice(0, 20)), remove(...refs.slice(20))];
    const results = (await Promise.all(removals)).flatMap((response) => response.json() as { result: string }[]);
    const statuses = (await Promise.all(written)).map(({ status }) => status);
    for (const [at, ref] of refs.entries()) {
      const isKept = stored.has(pathOf(ref));
      // Nothing that is referred to is removed. A file may stay that nothing refers to: the next removal takes it.
      expect([statuses[at] === 201 ? isKept : true, results[at]?.result === 'removed']).toEqual([true, !isKept]);
    }
  });

  // Asserts contract/operations.md#unreferenced-files.
  test('a save that refers to thousands of files takes a few locks of the database', async () => {
    const keys = Array.from({ length: 5_000 }, (_, at) => `fs://2026/01/01/${at}`);
    const locks = await data.database.transaction(async (transaction) => {
      await transaction.query({ text: fileLockSql('shared'), values: [keys] });
      const text = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()";
      return (await transaction.query({ text, values: [] })).length;
    });
    expect(locks).toBeGreaterThan(0);
    expect(locks).toBeLessThanOrEqual(64);
  });

  // Asserts contract/operations.md#unreferenced-files.
  test('files of versions that were deleted are removed, unless something refers to them', async () => {
    const [lost, used, young] = [store('lost'), store('used'), store('young', { ageMs: 0 })];
    await refer(used);
    const nameless = lost.replace('name=lost', 'name=erased');
    for (const file of [nameless, used, lost, young, 'fs://2026/01/01/none?name=none'])
      await data.query('INSERT INTO report.released_file (file_ref) VALUES ($1)', [file]);
    const { database } = data;
    const references = createFileReferences({ model: shop.model, database, isSplit: false });
    expect(await sweepReleased({ database, files, references })).toBe(2);
    expect([...stored.values()].map(({ name }) => name)).toEqual(['used']);
    expect(await data.query('SELECT 1 FROM report.released_file')).toEqual([]);
  });

  // Asserts contract/operations.md#unreferenced-files.
  test.each([
    [{}, 'fileRefs'],
    [{ fileRefs: [] }, 'fileRefs'],
    [{ fileRefs: ['none'] }, 'fileRefs.0: must be a file reference'],
    [{ fileRefs: ['fs://a?name=a', 'fs://a?name=b'] }, 'must name each file once'],
    [{ fileRefs: Array.from({ length: 101 }, (_, at) => `fs://${at}?name=a`) }, 'fileRefs'],
  ])('the removal of %j returns 400 and is named', async (body, named) => {
    const response = await data.send('admin', 'POST', `${PATH}/remove`, body);
    expect([response.status, response.text]).toEqual([400, expect.stringContaining(named)]);
  });

  // Asserts contract/operations.md#unreferenced-files.
  test('they need files.manage; wrong parameters are named', async () => {
    expect((await data.send('clerk', 'GET', PATH)).status).toBe(403);
    expect((await data.send('clerk', 'POST', `${PATH}/remove`, {})).status).toBe(403);
    for (const query of ['limit=101', 'cursor=']) {
      const response = await data.send('admin', 'GET', `${PATH}?${query}`);
      expect([response.status, response.text]).toEqual([400, expect.stringContaining(query.split('=')[0] ?? '')]);
    }
  });
});
