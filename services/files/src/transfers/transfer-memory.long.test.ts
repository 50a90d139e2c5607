/**
 * Measures the memory of 200 concurrent uploads of 10 MB into a service that is a process of its own with the options
 * of production. Prints the result.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, refOf } from '../../test/files-fixture.ts';
import { type Replica, startReplica } from '../../test/start-replica.ts';

const TRANSFERS = 200;
const MB = 1_000_000;
const OPTIONS = ['--expose-gc', '--max-semi-space-size=1', '--optimize-for-size'];
const MAX_GROWTH_MB = 160;

let root: string;
let replica: Replica;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'transfers-'));
  replica = await startReplica({ kind: 'folder', root }, OPTIONS);
});
afterAll(async () => {
  await replica?.kill();
  await rm(root, { recursive: true, force: true });
});

/** Resident memory of the service in MB: now, or its maximum so far. */
const memory = (name: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${replica.pid}/status`, 'utf8'))?.[1]) / 1_000;

/** Sends the head at once, so that the client is not the slow side. */
async function upload(name: string, bytes: Uint8Array): Promise<number | undefined> {
  const sent = request(`${replica.url}/rest/files?name=${name}`, {
    method: 'POST',
    headers: { Authorization: 'Bearer user', 'Content-Length': bytes.length },
  });
  sent.flushHeaders();
  sent.end(bytes);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await response.resume().toArray();
  return response.statusCode;
}

test('200 uploads of 10 MB at once take a bounded amount of memory', async () => {
  const client = createClient(() => replica.url);
  const bytes = randomBytes(10 * MB);
  const { fileRef } = (await client.upload('first.bin', bytes)).json();
  await client.call(refOf(fileRef));
  const before = memory('VmRSS');
  const statuses = await Promise.all(Array.from({ length: TRANSFERS }, (_, each) => upload(`${each}.bin`, bytes)));
  const more = memory('VmHWM') - before;
  process.stdout.write(
    `${TRANSFERS} uploads of 10 MB: ${before.toFixed(0)} MB before, at most +${more.toFixed(0)} MB\n`,
  );
  expect(statuses.filter((status) => status !== 201)).toEqual([]);
  expect(more).toBeLessThan(MAX_GROWTH_MB);
}, 240_000);
