import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createTestBucket, freePort, startHttpFaultProxy, type TestBucket } from '@lintel/testkit';
import { Client } from 'minio';
import type { BlobStore } from './blob-store.ts';
import { createFolderBlobStore } from './folder/folder-blob-store.ts';
import { createMirroredBlobStore } from './mirrors/mirrored-blob-store.ts';
import { createS3BlobStore } from './s3/s3-blob-store.ts';

const PART_BYTES = 5 * 1024 * 1024;
const ABOUT = { name: 'Übersicht (1).txt', contentType: 'text/plain', storedBy: undefined };

/** One storage under test, with access to its content without the port. */
interface Subject {
  readonly store: BlobStore;
  /** Creates the remains of an upload whose process was killed. */
  abandon(): Promise<void>;
  /** All stored keys, unfinished uploads included. */
  everything(): Promise<readonly string[]>;
  drop(): Promise<void>;
}

const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

async function folderSubject(): Promise<Subject> {
  const root = await mkdtemp(join(tmpdir(), 'blobs-'));
  const store = await createFolderBlobStore(root);
  const abandon = () => writeFile(join(root, '.incoming', `${randomUUID()}.data`), 'half');
  return { store, abandon, everything: () => filesIn(root), drop: () => rm(root, { recursive: true, force: true }) };
}

/** A folder with a copy in another one. */
async function mirroredSubject(): Promise<Subject> {
  const [first, second] = [await folderSubject(), await folderSubject()];
  const store = createMirroredBlobStore(first.store, [second.store], { warn: () => {} });
  const everything = async () => {
    // Waits for the copies in progress.
    await store.remove('no/such/file');
    return (await Promise.all([first.everything(), second.everything()])).flat();
  };
  const drop = async () => {
    await store.close();
    await first.drop();
    await second.drop();
  };
  return { store, abandon: first.abandon, everything, drop };
}

const clientOf = ({ url, accessKey, secretKey }: TestBucket): Client => {
  const { hostname, port, protocol } = new URL(url);
  return new Client({ endPoint: hostname, port: Number(port), useSSL: protocol === 'https:', accessKey, secretKey });
};

async function s3Subject(): Promise<Subject> {
  const test = await createTestBucket('blobs');
  // The store must create the bucket.
  const bucket = `${test.bucket}-made`;
  const client = clientOf(test);
  const store = createS3BlobStore({
    endpointUrl: test.url,
    accessKey: test.accessKey,
    secretKey: test.secretKey,
    bucket,
    region: 'us-east-1',
    partSizeBytes: PART_BYTES,
    partsInMemory: 2,
    timeoutMs: 20_000,
  });
  const everything = async (): Promise<readonly string[]> => {
    if (!(await client.bucketExists(bucket))) return [];
    const objects = await Array.fromAsync(client.listObjectsV2(bucket, '', true), ({ name }: { name: string }) => name);
    const unfinished = await Array.fromAsync(
      client.listIncompleteUploads(bucket, '', true),
      ({ key }: { key: string }) => key,
    );
    return [...objects, ...unfinished];
  };
  return {
    store,
    everything,
    async abandon() {
      const uploadID = await client.initiateNewMultipartUpload(bucket, newKey(), {});
      const part = { bucketName: bucket, objectName: newKey(), uploadID, partNumber: 1, headers: {} };
      await client.uploadPart(part, randomBytes(10)).catch(() => undefined);
    },
    async drop() {
      await store.close();
      if (await client.bucketExists(bucket)) {
        await client.removeObjects(bucket, [...(await everything())]);
        await client.removeBucket(bucket);
      }
      await test.drop();
    },
  };
}

const newKey = (): string => `2026/11/21/${randomUUID()}.txt`;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const chunked = (bytes: Buffer, size = 100_000): Readable =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })(),
    { objectMode: false },
  );

describe.each([
  ['folder', folderSubject],
  ['mirrored folder', mirroredSubject],
  ['S3', s3Subject],
] as const)('the %s blob store', (_, create) => {
  let subject: Subject;

  beforeAll(async () => {
    subject = await create();
  });
  afterAll(async () => {
    await subject?.drop();
  });

  // Asserts contract/files.md#storages.
  test.each([0, 1, 70_000, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, 2 * PART_BYTES + 12_345])(
    'gives back %i bytes as they were, with size, digest and description',
    async (size) => {
      const bytes = randomBytes(size);
      const key = newKey();
      expect(await subject.store.write(key, chunked(bytes), ABOUT)).toEqual({ size, sha256: sha256(bytes) });
      expect(await subject.store.find(key)).toMatchObject({
        ...ABOUT,
        size,
        sha256: sha256(bytes),
        tag: sha256(bytes),
      });
      expect((await buffer(await subject.store.read(key))).equals(bytes)).toBe(true);
    },
  );

  test('remembers which service a blob belongs to', async () => {
    const key = newKey();
    await subject.store.write(key, chunked(Buffer.from('x')), { ...ABOUT, storedBy: 'reports' });
    expect(await subject.store.find(key)).toMatchObject({ ...ABOUT, storedBy: 'reports' });
  });

  // Asserts contract/decisions.md#64, contract/files.md#download.
  test.each([PART_BYTES - 1, PART_BYTES + 1])('keeps a content type with parameters, of %i bytes too', async (size) => {
    const contentType = 'text/x-own;charset=utf-8;title="a; \\"b\\""';
    const key = newKey();
    await subject.store.write(key, chunked(randomBytes(size)), { ...ABOUT, contentType });
    expect(await subject.store.find(key)).toMatchObject({ ...ABOUT, contentType });
  });

  test('knows when the blob was stored', async () => {
    const key = newKey();
    const before = Date.now();
    await subject.store.write(key, chunked(Buffer.from('x')), ABOUT);
    const found = await subject.store.find(key);
    expect(Math.abs((found?.lastModified.getTime() ?? 0) - before)).toBeLessThan(10_000);
  });

  test('reads a range, both ends included', async () => {
    const key = newKey();
    await subject.store.write(key, chunked(Buffer.from('0123456789')), ABOUT);
    const read = async (start: number, end: number) =>
      String(await buffer(await subject.store.read(key, { start, end })));
    expect(await read(0, 0)).toBe('0');
    expect(await read(2, 5)).toBe('2345');
    expect(await read(9, 9)).toBe('9');
  });

  test('has nothing under an unknown key, and removes without complaint', async () => {
    const key = newKey();
    expect(await subject.store.find(key)).toBeUndefined();
    await expect(subject.store.read(key)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    await expect(subject.store.remove(key)).resolves.toBeUndefined();
  });

  test('removes a blob with everything that belongs to it', async () => {
    const before = await subject.everything();
    const key = newKey();
    await subject.store.write(key, chunked(Buffer.from('x')), ABOUT);
    await subject.store.remove(key);
    expect(await subject.store.find(key)).toBeUndefined();
    expect(await subject.everything()).toEqual(before);
  });

  // Asserts contract/files.md#storages.
  test.each([
    '../../../etc/passwd',
    '2026/../../x',
    '/etc/passwd',
    '.meta/2026/11/21/x.json',
    'a//b',
    'a/b\u0000',
    'a\\..\\b',
    '.',
    '',
    'a/'.repeat(500),
  ])('never finds, reads or writes the key %j', async (key) => {
    expect(await subject.store.find(key)).toBeUndefined();
    await expect(subject.store.read(key)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    await expect(subject.store.write(key, chunked(Buffer.from('x')), ABOUT)).rejects.toMatchObject({
      code: 'FILE_INVALID_REFERENCE',
    });
  });

  // Asserts contract/files.md#upload.
  test.each([
    ['early', 1000],
    ['after several parts', 2 * PART_BYTES + 1000],
  ])('leaves nothing behind when the content breaks %s, and passes its error on', async (_when, good) => {
    const before = await subject.everything();
    const broken = new Error('the sender went away');
    const content = Readable.from(
      (async function* () {
        for (let sent = 0; sent < good; sent += 500_000) yield randomBytes(Math.min(500_000, good - sent));
        throw broken;
      })(),
      { objectMode: false },
    );
    const key = newKey();
    await expect(subject.store.write(key, content, ABOUT)).rejects.toBe(broken);
    expect(await subject.store.find(key)).toBeUndefined();
    expect(await subject.everything()).toEqual(before);
  });

  // Asserts contract/files.md#storages.
  test('shows no blob before its last byte', async () => {
    const key = newKey();
    let finish = (): void => {};
    const halfway = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const content = Readable.from(
      (async function* () {
        yield randomBytes(PART_BYTES + 10);
        await halfway;
        yield Buffer.from('end');
      })(),
      { objectMode: false },
    );
    const written = subject.store.write(key, content, ABOUT);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await subject.store.find(key)).toBeUndefined();
    finish();
    expect((await written).size).toBe(PART_BYTES + 13);
    expect(await subject.store.find(key)).toBeDefined();
  });

  // Asserts contract/files.md#storages.
  test('removes what killed processes left once it is old enough, and what still arrives not', async () => {
    const key = newKey();
    await subject.store.write(key, chunked(Buffer.from('whole')), ABOUT);
    const before = await subject.everything();
    await subject.abandon();
    expect(await subject.everything()).toHaveLength(before.length + 1);
    expect(await subject.store.removeAbandoned(new Date(Date.now() - 3_600_000))).toBe(0);
    expect(await subject.everything()).toHaveLength(before.length + 1);
    expect(await subject.store.removeAbandoned(new Date(Date.now() + 3_600_000))).toBe(1);
    expect(await subject.everything()).toEqual(before);
    expect(String(await buffer(await subject.store.read(key)))).toBe('whole');
  });

  test('stores many at once', async () => {
    const blobs = Array.from({ length: 12 }, () => ({ key: newKey(), bytes: randomBytes(50_000) }));
    await Promise.all(blobs.map(({ key, bytes }) => subject.store.write(key, chunked(bytes), ABOUT)));
    for (const { key, bytes } of blobs) expect((await buffer(await subject.store.read(key))).equals(bytes)).toBe(true);
  });

  test('says that it is ready', async () => {
    await expect(subject.store.assertReady()).resolves.toBeUndefined();
  });
});

describe('a storage that does not work', () => {
  const content = () => Readable.from(['x'], { objectMode: false });

  // Asserts contract/files.md#storages.
  test('S3 that cannot be reached is "unavailable" for every operation', async () => {
    const store = createS3BlobStore({
      endpointUrl: `http://127.0.0.1:${await freePort()}`,
      accessKey: 'nobody',
      secretKey: 'nothing-at-all',
      bucket: 'absent',
      region: 'us-east-1',
      partSizeBytes: PART_BYTES,
      partsInMemory: 2,
      timeoutMs: 1000,
    });
    const unavailable = { code: 'FILE_STORAGE_UNAVAILABLE', status: 503, retryable: true };
    await expect(store.write(newKey(), content(), ABOUT)).rejects.toMatchObject(unavailable);
    await expect(store.find(newKey())).rejects.toMatchObject(unavailable);
    await expect(store.read(newKey())).rejects.toMatchObject(unavailable);
    await expect(store.assertReady()).rejects.toThrow();
    await store.close();
  });

  test('S3 that fails while more of a file arrives is "unavailable"', async () => {
    const { url, bucket, accessKey, secretKey, drop } = await createTestBucket('fails');
    const { hostname: host, port } = new URL(url);
    const proxy = await startHttpFaultProxy({ host, port: Number(port) });
    const endpointUrl = `http://127.0.0.1:${proxy.port}`;
    const part = { region: 'us-east-1', partSizeBytes: PART_BYTES, partsInMemory: 2, timeoutMs: 20_000 };
    const store = createS3BlobStore({ endpointUrl, bucket, accessKey, secretKey, ...part });
    proxy.disturb(({ method, url: target }) =>
      method === 'PUT' && target.includes('partNumber=1') ? { kind: 'response', status: 500 } : undefined,
    );
    const chunks = Array.from({ length: 20 }, () => randomBytes(1024 * 1024));
    const writing = store.write(newKey(), Readable.from(chunks, { objectMode: false }), ABOUT);
    await expect(writing).rejects.toMatchObject({ code: 'FILE_STORAGE_UNAVAILABLE' });
    await store.close();
    await proxy.close();
    await drop();
  });

  // Asserts contract/files.md#storages.
  test('a folder that vanished is "unavailable" for writing, and not ready', async () => {
    const root = await mkdtemp(join(tmpdir(), 'blobs-'));
    const store = await createFolderBlobStore(root);
    await rm(root, { recursive: true });
    await expect(store.write(newKey(), content(), ABOUT)).rejects.toMatchObject({ code: 'FILE_STORAGE_UNAVAILABLE' });
    await expect(store.assertReady()).rejects.toThrow();
  });
});

test('a blob that cannot get its name leaves nothing behind, and its key stays free', async () => {
  const root = await mkdtemp(join(tmpdir(), 'blobs-'));
  const store = await createFolderBlobStore(root);
  const key = newKey();
  await writeFile(join(root, '2026'), 'in the way');
  await expect(store.write(key, chunked(randomBytes(10)), ABOUT)).rejects.toMatchObject({
    code: 'FILE_STORAGE_UNAVAILABLE',
  });
  expect(await filesIn(root)).toEqual(['2026']);
  await rm(join(root, '2026'));
  expect(await store.write(key, chunked(randomBytes(10)), ABOUT)).toMatchObject({ size: 10 });
  await rm(root, { recursive: true });
});

test('a file that was put into the folder by hand can be read, without a description', async () => {
  const root = await mkdtemp(join(tmpdir(), 'blobs-'));
  const store = await createFolderBlobStore(root);
  await writeFile(join(root, 'by-hand.txt'), 'hello');
  const found = await store.find('by-hand.txt');
  expect(found).toMatchObject({ size: 5, name: undefined, contentType: undefined, sha256: undefined });
  expect(found?.tag).toMatch(/^5-[0-9a-f]+$/);
  expect((await stat(join(root, 'by-hand.txt'))).isFile()).toBe(true);
  await rm(root, { recursive: true });
});
