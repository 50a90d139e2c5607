import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestBucket, eventually } from '@lintel/testkit';
import { createClient, refOf } from '../../test/files-fixture.ts';
import type { ReplicaStorage } from '../../test/replica.ts';
import { type Replica, startReplica } from '../../test/start-replica.ts';
import { createTusRequests, sendAndBreak } from '../../test/tus-requests.ts';

interface Shared {
  readonly storage: ReplicaStorage;
  drop(): Promise<void>;
}

async function sharedFolder(): Promise<Shared> {
  const root = await mkdtemp(join(tmpdir(), 'resumed-'));
  return { storage: { kind: 'folder', root }, drop: () => rm(root, { recursive: true, force: true }) };
}

async function sharedBucket(): Promise<Shared> {
  const { url, bucket, accessKey, secretKey, drop } = await createTestBucket('resumed');
  const part = { partSizeBytes: 5 * 1024 * 1024, partsInMemory: 4, timeoutMs: 20_000, region: 'us-east-1' };
  return { storage: { kind: 's3', options: { endpointUrl: url, bucket, accessKey, secretKey, ...part } }, drop };
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const UPLOADS = 4;
const FILE_BYTES = 600_000;
const CHUNK_BYTES = 50_000;

describe.each([
  ['folder', sharedFolder],
  ['S3', sharedBucket],
] as const)('replicas that share a storage of kind %s', (_kind, create) => {
  let shared: Shared;
  const running: Replica[] = [];
  const start = async (): Promise<Replica> => {
    const replica = await startReplica(shared.storage);
    running.push(replica);
    return replica;
  };
  beforeAll(async () => {
    shared = await create();
  });
  afterAll(async () => {
    await Promise.all(running.map((replica) => replica.kill()));
    await shared?.drop();
  });

  // Asserts contract/files.md#resumable.
  test('an upload continues at another replica after a kill, and loses nothing that was acknowledged', async () => {
    let replica = await start();
    let isKilling = true;
    let acknowledged = 0;
    let lost = 0;
    const client = createClient(() => replica.url);
    const tus = createTusRequests(client);

    const upload = async (bytes: Buffer): Promise<string> => {
      const path = await tus.begin(bytes.length);
      let offset = 0;
      // The last byte waits for the last kill.
      while (offset < bytes.length - 1 || isKilling) {
        const end = Math.min(offset + CHUNK_BYTES, bytes.length - 1);
        try {
          const { status } = await tus.append(path, offset, bytes.subarray(offset, end));
          expect(status).toBe(204);
          acknowledged += 1;
          offset = end;
        } catch (error) {
          if (!(error instanceof TypeError)) throw error;
          lost += 1;
          const found = await eventually(() => tus.offset(path));
          expect(found).toBeGreaterThanOrEqual(offset);
          offset = found;
        }
      }
      return path;
    };
    const contents = Array.from({ length: UPLOADS }, () => randomBytes(FILE_BYTES));
    const uploading = Promise.all(contents.map(upload));
    for (let kill = 0; kill < 2; kill += 1) {
      const before = acknowledged;
      await eventually(() => expect(acknowledged).toBeGreaterThan(before + UPLOADS));
      const next = await start();
      await replica.kill();
      replica = next;
    }
    isKilling = false;
    const paths = await uploading;
    expect(lost).toBeGreaterThan(0);

    for (const [index, bytes] of contents.entries()) {
      const path = paths[index] ?? '';
      const last = await tus.append(path, bytes.length - 1, bytes.subarray(-1));
      expect([last.status, last.headers.get('upload-offset')]).toEqual([204, String(bytes.length)]);
      const { fileRef } = (await tus.send('GET', path)).json();
      expect(sha256((await client.call(refOf(fileRef))).bytes)).toBe(sha256(bytes));
    }
  }, 240_000);

  // Asserts contract/files.md#resumable.
  test('requests at two replicas for one offset: one is stored', async () => {
    const replicas = [...running.slice(-1), await start()];
    const [first, second] = replicas.map(({ url }) => createTusRequests(createClient(() => url)));
    if (first === undefined || second === undefined) throw new Error('no replicas');
    for (let round = 0; round < 5; round += 1) {
      const path = await first.begin(100);
      const responses = await Promise.all([first.append(path, 0, 'aaaa'), second.append(path, 0, 'bb')]);
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 409]);
      expect(await second.offset(path)).toBe(responses[0]?.status === 204 ? 4 : 2);
    }
    const path = await first.begin(50);
    await eventually(async () => {
      // On a busy machine the connection may end before the service has begun to read.
      await sendAndBreak((replicas[0]?.url ?? '') + path, 0, 50, Buffer.from('cccc'));
      expect(await second.offset(path)).toBe(4);
    });
  });
});
