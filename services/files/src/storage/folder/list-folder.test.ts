import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { listFolder } from './list-folder.ts';

const FILES = ['2026/01/02/a.txt', '2026/01/02/b.txt', '2026/01/10/a', '2027/01/01/c', 'other/d'];
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'list-folder-'));
  for (const file of [...FILES, '.meta/2026/01/02/a.txt.json', '.incoming/x.data', '2026/.hidden/y']) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), 'bytes');
  }
});
afterAll(() => rm(root, { recursive: true }));

const keys = async (after?: string, limit = 100) => (await listFolder(root, after, limit)).map(({ key }) => key);

test('files are listed in the order of their keys, without hidden ones', async () => {
  expect(await keys()).toEqual(FILES);
  expect(await listFolder(root, undefined, 1)).toEqual([{ key: FILES[0], size: 5, lastModified: expect.any(Date) }]);
});

// Asserts contract/operations.md#unreferenced-files.
test('a list continues after any key, also after one that is gone', async () => {
  for (const [at, key] of FILES.entries()) expect(await keys(key)).toEqual(FILES.slice(at + 1));
  expect(await keys('2026/01/02/aa')).toEqual(FILES.slice(1));
  expect(await keys('2026/01/05/x', 2)).toEqual(FILES.slice(2, 4));
  expect(await keys('z')).toEqual([]);
});
