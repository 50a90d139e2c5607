/**
 * Measures the memory of concurrent uploads to S3: 64 of 12 MiB each, into a service that is a process of its own.
 * Prints the result; alone: `npx jest --selectProjects long -- services/files/src/storage/part-memory` (with the
 * experimental modules of Node, as CONTRIBUTING.md says).
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createTestBucket, type TestBucket } from '@lintel/testkit';
import { createClient, MAX_BYTES } from '../../../test/files-fixture.ts';
import { type Replica, startReplica } from '../../../test/start-replica.ts';

const UPLOADS = 64;
const MIB = 1024 * 1024;
const PARTS = 4;
const PART_BYTES = 8 * MIB;
/** Memory for other purposes: buffers of streams, sockets, requests to S3. */
const REST_MIB = 160;

let bucket: TestBucket;
let replica: Replica;
beforeAll(async () => {
  bucket = await createTestBucket('memory');
  const { url, ...rest } = bucket;
  replica = await startReplica({
    kind: 's3',
    options: {
      ...{ endpointUrl: url, bucket: rest.bucket, accessKey: rest.accessKey, secretKey: rest.secretKey },
      ...{ region: 'us-east-1', partSizeBytes: PART_BYTES, partsInMemory: PARTS, timeoutMs: 60_000 },
    },
  });
});
afterAll(async () => {
  await replica?.kill();
  await bucket?.drop();
});

/** Memory of the service in MiB: now, or its maximum so far. */
const memory = (name: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${replica.pid}/status`, 'utf8'))?.[1]) / 1024;

test('64 uploads at once take no more parts than the storage may keep in memory', async () => {
  const client = createClient(() => replica.url);
  const bytes = randomBytes(MAX_BYTES);
  await client.upload('first.bin', bytes);
  const before = memory('VmRSS');
  const responses = await Promise.all(
    Array.from({ length: UPLOADS }, (_, each) => client.upload(`${each}.bin`, bytes)),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: UPLOADS }, () => 201));
  const more = memory('VmHWM') - before;
  process.stdout.write(`${UPLOADS} uploads of ${bytes.length / MIB} MiB: at most +${more.toFixed(0)} MiB\n`);
  expect(more).toBeLessThan((PARTS * PART_BYTES) / MIB + REST_MIB);
}, 240_000);
