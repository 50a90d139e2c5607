import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestBucket, eventually } from '@lintel/testkit';
import { Client } from 'minio';
import { createClient, refOf } from '../../test/files-fixture.ts';
import { openReplicaStore, type ReplicaStorage } from '../../test/replica.ts';
import { type Replica, startReplica } from '../../test/start-replica.ts';
import type { BlobStore } from './blob-store.ts';

/** A storage that several processes use. */
interface Shared {
  readonly storage: ReplicaStorage;
  /** Keys of all files that can be read, found without the service. */
  visible(): Promise<readonly string[]>;
  /** Number of unfinished uploads. */
  unfinished(): Promise<number>;
  drop(): Promise<void>;
}

async function sharedFolder(): Promise<Shared> {
  const root = await mkdtemp(join(tmpdir(), 'replicas-'));
  const filesBelow = async (folder: string): Promise<readonly string[]> =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  return {
    storage: { kind: 'folder', root },
    visible: async () => (await filesBelow(root)).filter((path) => !path.startsWith('.')),
    unfinished: async () => (await filesBelow(join(root, '.incoming'))).length,
    drop: () => rm(root, { recursive: true, force: true }),
  };
}

async function sharedBucket(): Promise<Shared> {
  const { url, bucket, accessKey, secretKey, drop } = await createTestBucket('replicas');
  const { hostname, port } = new URL(url);
  const client = new Client({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey });
  const part = { partSizeBytes: 5 * 1024 * 1024, partsInMemory: 4, timeoutMs: 20_000, region: 'us-east-1' };
  return {
    storage: { kind: 's3', options: { endpointUrl: url, bucket, accessKey, secretKey, ...part } },
    visible: () => Array.fromAsync(client.listObjectsV2(bucket, '', true), ({ name }: { name: string }) => name),
    unfinished: async () => (await Array.fromAsync(client.listIncompleteUploads(bucket, '', true))).length,
    drop,
  };
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const UPLOADERS = 64;
const KILLS = 3;
/** Uploads are slow enough that a kill interrupts them at all stages. */
const PIECES = 8;

interface Sent {
  readonly name: string;
  readonly sha256: string;
}

/** Uploads in chunks; returns the reference, or undefined where the service was killed. */
async function uploadSlowly(url: string, name: string, bytes: Buffer): Promise<string | undefined> {
  try {
    const response = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const sent = request(`${url}/rest/files?name=${name}`, {
        method: 'POST',
        agent: false,
        headers: { Authorization: 'Bearer user', 'Content-Length': bytes.length },
      });
      sent.once('error', reject);
      sent.once('response', (response) =>
        text(response).then((body) => resolve({ status: response.statusCode, body }), reject),
      );
      const piece = Math.ceil(bytes.length / PIECES);
      void (async () => {
        for (let at = 0; at < bytes.length && !sent.destroyed; at += piece) {
          sent.write(bytes.subarray(at, at + piece));
          await sleep(10);
        }
        sent.end();
      })();
    });
    return response.status === 201 ? (JSON.parse(response.body) as { fileRef: string }).fileRef : undefined;
  } catch {
    return undefined;
  }
}

describe.each([
  ['folder', sharedFolder],
  ['S3', sharedBucket],
] as const)('replicas that share a storage of kind %s', (_kind, create) => {
  let shared: Shared;
  let store: BlobStore;
  const running: Replica[] = [];

  beforeAll(async () => {
    shared = await create();
    store = await openReplicaStore(shared.storage);
  });
  afterAll(async () => {
    await Promise.all(running.map((replica) => replica.kill()));
    await store?.close();
    await shared?.drop();
  });
  const start = async (): Promise<Replica> => {
    const replica = await startReplica(shared.storage);
    running.push(replica);
    return replica;
  };

  // Asserts contract/files.md#storages.
  test('what is uploaded to one is downloaded from the other, also when the first is gone', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    const [at, other] = [createClient(() => first.url), createClient(() => second.url)];
    const bytes = randomBytes(6_000_000);
    const fileRefs = [
      (await at.upload('large.bin', bytes)).json().fileRef,
      (await other.upload('large.bin', bytes)).json().fileRef,
    ];
    for (const fileRef of fileRefs)
      for (const client of [at, other]) expect((await client.call(refOf(fileRef))).bytes.equals(bytes)).toBe(true);
    const [etag] = await Promise.all([at.call(refOf(fileRefs[0] ?? ''), { method: 'HEAD' })]);
    await first.kill();
    const part = await other.call(refOf(fileRefs[0] ?? ''), {
      headers: { Range: 'bytes=5999990-', 'If-Range': etag.headers.get('etag') ?? '' },
    });
    expect([part.status, part.bytes.equals(bytes.subarray(5_999_990))]).toEqual([206, true]);
  });

  // Asserts contract/files.md#storages.
  test('64 parallel uploads and kills of the service leave no half file, and lose none that was acknowledged', async () => {
    let replica = await start();
    let isKilling = true;
    const sent = new Map<string, string>();
    const acknowledged = new Map<string, string>();
    let refused = 0;
    const upload = async (uploader: number): Promise<void> => {
      for (let round = 0; isKilling; round += 1) {
        const name = `${uploader}-${round}.bin`;
        // Some of them need several parts in S3.
        const bytes = randomBytes(uploader % 16 === 0 ? 5_500_000 : 50_000 + uploader);
        const digest = sha256(bytes);
        sent.set(name, digest);
        const fileRef = await uploadSlowly(replica.url, name, bytes);
        if (fileRef === undefined) {
          refused += 1;
          await sleep(20);
        } else acknowledged.set(fileRef, digest);
      }
    };
    const uploading = Promise.all(Array.from({ length: UPLOADERS }, (_, uploader) => upload(uploader)));
    for (let kill = 0; kill < KILLS; kill += 1) {
      // On any machine some have been stored, and the others are in progress.
      const before = acknowledged.size;
      await eventually(() => expect(acknowledged.size).toBeGreaterThan(before + 4 * kill));
      await replica.kill();
      replica = await start();
    }
    isKilling = false;
    await uploading;

    expect(refused).toBeGreaterThan(KILLS);
    expect(acknowledged.size).toBeGreaterThan(KILLS);
    const client = createClient(() => replica.url);
    const digestOf = async (fileRef: string): Promise<string> => sha256((await client.call(refOf(fileRef))).bytes);
    for (const [fileRef, digest] of acknowledged) expect(await digestOf(fileRef)).toBe(digest);
    // A complete file whose response was lost in a kill is not an incomplete file.
    const visible = await shared.visible();
    expect(visible.length).toBeGreaterThanOrEqual(acknowledged.size);
    for (const key of visible) {
      const { name } = (await store.find(key)) ?? {};
      if (name === 'large.bin') continue;
      const found: Sent = { name: name ?? '', sha256: await digestOf(`fs://${key}?name=x`) };
      expect(found).toEqual({ name, sha256: sent.get(name ?? '') });
    }
    // The remains of the killed processes only take space until they are a day old.
    await store.removeAbandoned(new Date(Date.now() + 60_000));
    expect(await shared.unfinished()).toBe(0);
    expect(await shared.visible()).toEqual(visible);
  }, 240_000);
});
