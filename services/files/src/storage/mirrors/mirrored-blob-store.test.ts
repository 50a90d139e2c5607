import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { PlatformError } from '@lintel/errors';
import type { BlobStore } from '../blob-store.ts';
import { createFolderBlobStore } from '../folder/folder-blob-store.ts';
import { createMirroredBlobStore } from './mirrored-blob-store.ts';

const KEY = '2026/11/21/a.txt';
const ABOUT = { name: 'a.txt', contentType: 'text/plain', storedBy: undefined };

let folder: string;
let [first, second]: BlobStore[] = [];
const warnings: unknown[] = [];
const logger = { warn: (...entry: unknown[]) => void warnings.push(entry) };
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mirrored-'));
  first = await createFolderBlobStore(join(folder, 'first'));
  second = await createFolderBlobStore(join(folder, 'second'));
  warnings.length = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const mirrored = (...copies: BlobStore[]): BlobStore => createMirroredBlobStore(first as BlobStore, copies, logger);
const failing = (): BlobStore =>
  new Proxy({} as BlobStore, {
    get: () => () => Promise.reject(new PlatformError('FILE_STORAGE_UNAVAILABLE', 'The disk is gone')),
  });
const contentOf = async (store: BlobStore, range?: { start: number; end: number }): Promise<string> =>
  text(await store.read(KEY, range));

// Asserts contract/decisions.md#64, contract/files.md#download, contract/files.md#storages.
test('a file is stored in the first folder and copied to the others, with what is known of it', async () => {
  const store = mirrored(second as BlobStore);
  const { size } = await store.write(KEY, Readable.from(['hello']), ABOUT);
  expect(size).toBe(5);
  await store.close();
  expect(await contentOf(second as BlobStore)).toBe('hello');
  expect(await second?.find(KEY)).toMatchObject({ ...ABOUT, size: 5, sha256: (await first?.find(KEY))?.sha256 });
});

// Asserts contract/files.md#storages.
test('a file that the first folder lost, or cannot read, comes from a copy', async () => {
  const store = mirrored(second as BlobStore);
  await store.write(KEY, Readable.from(['hello']), ABOUT);
  await store.close();
  await rm(join(folder, 'first', '2026'), { recursive: true });
  expect(await store.find(KEY)).toMatchObject({ size: 5 });
  expect(await contentOf(store, { start: 1, end: 2 })).toBe('el');
  const broken = createMirroredBlobStore(failing(), [second as BlobStore], logger);
  expect([await contentOf(broken), await broken.find('2026/11/21/none.txt').catch(({ code }) => code)]).toEqual([
    'hello',
    'FILE_STORAGE_UNAVAILABLE',
  ]);
});

// Asserts contract/files.md#storages.
test('a copy that cannot be made is logged, and the file is stored and closed', async () => {
  let offered: Readable | undefined;
  const refusing = Object.assign(Object.create(failing()) as BlobStore, {
    write: (_key: string, content: Readable) => {
      offered = content;
      return Promise.reject(new PlatformError('FILE_STORAGE_UNAVAILABLE', 'The disk is gone'));
    },
  });
  const store = mirrored(refusing);
  await store.write(KEY, Readable.from(['hello']), ABOUT);
  await store.close().catch(() => undefined);
  expect(warnings).toHaveLength(1);
  expect(offered?.destroyed).toBe(true);
  expect(await contentOf(first as BlobStore)).toBe('hello');
});

test('a file is removed everywhere, also where its copy is being made', async () => {
  const store = mirrored(second as BlobStore);
  await store.write(KEY, Readable.from(['hello']), ABOUT);
  await store.remove(KEY);
  expect([await first?.find(KEY), await second?.find(KEY)]).toEqual([undefined, undefined]);
  expect(await readdir(join(folder, 'second', '2026/11/21'))).toEqual([]);
});

test('a file that no storage has is not found', async () => {
  const store = mirrored(second as BlobStore);
  expect(await store.find(KEY)).toBeUndefined();
  await expect(store.read(KEY)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
});
