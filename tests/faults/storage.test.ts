import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  createTestBucket,
  type HttpFault,
  mountSmallFileSystem,
  type PassingRequest,
  startHttpFaultProxy,
  startTcpProxy,
} from '@lintel/testkit';
import { createFileClient } from './file-client.ts';
import { createGatewayCaller } from './gateway-caller.ts';
import { startServiceProcesses } from './service-processes.ts';

const MIB = 1024 * 1024;
const SMALL_BYTES = 8 * MIB;
const PART_BYTES = 8 * MIB;
/** As long as the files service waits for S3 here. */
const S3_TIMEOUT_MS = 2_000;

const small = await mountSmallFileSystem(SMALL_BYTES);
const folder = mkdtempSync(join(tmpdir(), 'lintel-limited-'));
const bucket = await createTestBucket('faults');
const faults = await startHttpFaultProxy({ port: Number(new URL(bucket.url).port) });
const wire = await startTcpProxy({ port: faults.port });
const { services, dispose } = await startServiceProcesses(['auth', 'data', 'files', 'gateway'], {
  SVC_CORE_DEFAULT_FILE_STORAGE: 'fs',
  SVC_FILES_STORAGE_SMALL_KIND: 'folder',
  SVC_FILES_STORAGE_SMALL_PATH: typeof small === 'string' ? join(folder, 'unused') : join(small.path, 'files'),
  SVC_FILES_STORAGE_LIMITED_KIND: 'folder',
  SVC_FILES_STORAGE_LIMITED_PATH: join(folder, 'limited'),
  SVC_FILES_STORAGE_S3_KIND: 's3',
  SVC_FILES_STORAGE_S3_ENDPOINT_URL: `http://127.0.0.1:${wire.port}`,
  SVC_FILES_STORAGE_S3_BUCKET: bucket.bucket,
  SVC_FILES_STORAGE_S3_ACCESS_KEY: bucket.accessKey,
  SVC_FILES_STORAGE_S3_SECRET_KEY: bucket.secretKey,
  SVC_FILES_STORAGE_S3_TIMEOUT: `${S3_TIMEOUT_MS}ms`,
});
const files = createFileClient(
  services.gateway.url,
  await createGatewayCaller(services.gateway.url).tokenOf('client', 'admin'),
);
afterAll(async () => {
  await dispose();
  await Promise.all([wire.close(), faults.close(), bucket.drop()]);
  rmSync(folder, { recursive: true });
  if (typeof small !== 'string') await small.drop();
});

/** Files below a folder, of the storage's own the contents of its folder for what still arrives. */
async function namesIn(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
}

/** That nothing of a refused upload is kept, that others are read meanwhile, and that all is well afterwards. */
async function refuseAndRecover(
  storage: string,
  root: string,
  refusal: { readonly status: number; readonly error: string },
  begin: () => Promise<unknown>,
  end: () => Promise<unknown>,
): Promise<void> {
  const kept = randomBytes(200_000);
  const { fileRef } = await files.upload(storage, kept);
  const before = await namesIn(root);

  await begin();
  const refused = await Promise.all(Array.from({ length: 8 }, () => files.upload(storage, randomBytes(2 * MIB))));
  expect(refused).toEqual(Array.from({ length: 8 }, () => expect.objectContaining(refusal)));
  expect((await namesIn(root)).filter((name) => name !== 'ballast')).toEqual(before);
  expect((await files.download(fileRef)).content.equals(kept)).toBe(true);
  expect((await files.upload('fs', kept)).status).toBe(201);

  await end();
  const again = randomBytes(2 * MIB);
  const stored = await files.upload(storage, again);
  expect(stored.status).toBe(201);
  expect((await files.download(stored.fileRef)).content.equals(again)).toBe(true);
}

if (typeof small === 'string')
  process.stderr.write(`NOT TESTED HERE: a full disk. No file system can be mounted: ${small}\n`);
else
  test('a full disk refuses uploads with 507 and keeps nothing of them; with space there again they go on', () =>
    refuseAndRecover(
      'small',
      small.path,
      { status: 507, error: 'File storage full' },
      () => small.fill(MIB),
      () => small.free(),
    ));

/** Sets how long the files that the process writes may be; nobody but root may raise the limit above the hard one. */
const limitFileSize = (bytes: number | 'unlimited') =>
  promisify(execFile)('prlimit', [`--pid=${services.files.pid}`, `--fsize=${bytes}:unlimited`]);

test('a file that the file system cannot hold is refused with 413, leaves nothing, and affects no other request', () =>
  refuseAndRecover(
    'limited',
    join(folder, 'limited'),
    { status: 413, error: 'File upload failed' },
    () => limitFileSize(MIB),
    () => limitFileSize('unlimited'),
  ));

describe('S3', () => {
  /** Everything in the bucket, also what is not finished, seen past the proxies. */
  const everything = () => bucket.contents();
  const content = randomBytes(2 * PART_BYTES + 12_345);
  let fileRef: string;
  beforeAll(async () => {
    ({ fileRef } = await patiently(() => files.upload('s3', content)));
  });
  /** A machine that stands still for longer than the time limit of S3 needs another request; a quick refusal is one. */
  const patiently = async <T extends { readonly status: number }>(send: () => Promise<T>, left = 3): Promise<T> => {
    const beganMs = performance.now();
    const response = await send();
    const isStandstill = response.status === 503 && performance.now() - beganMs >= S3_TIMEOUT_MS;
    return isStandstill && left > 0 ? patiently(send, left - 1) : response;
  };
  /** The first request after the fault is as good as any. */
  const worksAgain = async (): Promise<void> => {
    const stored = await patiently(() => files.upload('s3', content));
    expect(stored.status).toBe(201);
    expect((await patiently(() => files.download(stored.fileRef))).content.equals(content)).toBe(true);
  };
  const unavailable = { status: 503, error: 'File storage unavailable' };

  const isPart = ({ method, url }: PassingRequest) => method === 'PUT' && url.includes('partNumber=2');
  const isCompletion = ({ method, url }: PassingRequest) => method === 'POST' && url.includes('uploadId=');
  const isTagging = ({ method, url }: PassingRequest) => method === 'PUT' && url.includes('tagging');
  const failure: HttpFault = {
    kind: 'response',
    status: 500,
    body: '<?xml version="1.0"?><Error><Code>InternalError</Code><Message>failed</Message></Error>',
  };

  test.each<[string, (request: PassingRequest) => boolean, HttpFault]>([
    ['responds with 500 to a part', isPart, failure],
    ['responds with 503 without a body to a part', isPart, { kind: 'response', status: 503 }],
    ['breaks off within a part', isPart, { kind: 'cut request' }],
    ['says nothing to a part', isPart, { kind: 'silence' }],
    ['responds with 500 to the end of the parts', isCompletion, failure],
    ['responds with 200 with a failure to the end of the parts', isCompletion, { ...failure, status: 200 }],
    ['responds with 500 to the digest', isTagging, failure],
  ])('that %s: the upload returns 503 and nothing of it is kept', async (_case, isMeant, fault) => {
    const before = await everything();
    faults.disturb((request) => (isMeant(request) ? fault : undefined));
    expect(await files.upload('s3', content)).toMatchObject(unavailable);
    expect(await everything()).toEqual(before);
    faults.disturb();
    await worksAgain();
  });

  test('that fails with every request: uploads and downloads return 503, other storages work, and recovery is at once', async () => {
    const before = await everything();
    for (const fault of [failure, { kind: 'silence' }, { kind: 'cut request' }] satisfies HttpFault[]) {
      faults.disturb(() => fault);
      const [upload, download, other] = await Promise.all([
        files.upload('s3', content),
        files.download(fileRef),
        files.upload('fs', content),
      ]);
      expect([upload, download.status, other.status]).toEqual([expect.objectContaining(unavailable), 503, 201]);
    }
    faults.disturb();
    expect((await patiently(() => files.download(fileRef))).content.equals(content)).toBe(true);
    await worksAgain();
    expect((await everything()).length).toBe(before.length + 1);
  });

  test('whose response is lost after the end of an upload: the file is complete, and no client knows its reference', async () => {
    const before = new Set((await everything()).map(({ key }) => key));
    faults.disturb((request) => (isCompletion(request) ? { kind: 'cut response', afterBytes: 0 } : undefined));
    expect(await files.upload('s3', content)).toMatchObject(unavailable);
    faults.disturb();
    const more = (await everything()).filter(({ key }) => !before.has(key));
    expect(more.map(({ size }) => size)).toEqual([content.length]);
    await worksAgain();
  });

  test('that breaks off within a download: the response breaks off too, and never looks complete', async () => {
    faults.disturb(({ method, url }) =>
      method === 'GET' && !url.includes('tagging') ? { kind: 'cut response', afterBytes: PART_BYTES } : undefined,
    );
    await expect(files.download(fileRef)).rejects.toThrow();
    faults.disturb();
    expect((await patiently(() => files.download(fileRef))).content.equals(content)).toBe(true);
  });

  test('that is slow: everything takes longer, and nothing fails', async () => {
    faults.disturb(() => ({ kind: 'delay', milliseconds: S3_TIMEOUT_MS / 10 }));
    await worksAgain();
    faults.disturb();
  });

  test('with a network that refuses, cuts or swallows: 503, and recovery with the first request', async () => {
    // Where the beginning of an upload arrives after all, nobody knows its id: it is removed as abandoned, a day later.
    const whole = async () => (await everything()).filter(({ size }) => size !== undefined);
    const before = await whole();
    for (const disturb of [() => wire.block(), () => wire.freeze()]) {
      disturb();
      expect(await files.upload('s3', content)).toMatchObject(unavailable);
      expect((await files.download(fileRef)).status).toBe(503);
      wire.restore();
      await worksAgain();
    }
    faults.disturb((request) => {
      if (isPart(request)) wire.cutConnections();
      return undefined;
    });
    expect(await files.upload('s3', content)).toMatchObject(unavailable);
    faults.disturb();
    await worksAgain();
    expect((await whole()).length).toBe(before.length + 3);
  });
});
