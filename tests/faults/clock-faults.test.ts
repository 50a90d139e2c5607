import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '@lintel/testkit';
import { createGatewayCaller } from './gateway-caller.ts';
import { proveThrough, statusesOf } from './prove-through.ts';
import type { ServiceName } from './service-processes.ts';
import { startFaultSystem } from './system/fault-system.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Longer than a process needs to notice its new clock. */
const SEEN_MS = 200;

const folder = mkdtempSync(join(tmpdir(), 'lintel-clock-'));
const file = join(folder, 'offsets.json');
/** Sets the wall clocks of the services, by as many milliseconds as they are to be off. */
async function setClocks(offsets: Partial<Record<ServiceName | 'all', number>>): Promise<void> {
  writeFileSync(`${file}.new`, JSON.stringify(offsets));
  renameSync(`${file}.new`, file);
  await sleep(SEEN_MS);
}

await setClocks({});
const system = await startFaultSystem({
  NODE_OPTIONS: `--import=${fileURLToPath(new URL('clock/shifted-clock.mjs', import.meta.url))}`,
  LINTEL_TEST_CLOCK: file,
});
afterAll(async () => {
  await system.dispose();
  rmSync(folder, { recursive: true });
});

test('when the clocks of all processes jump an hour ahead, then two hours back, nothing is lost and all goes on', async () => {
  const report = await proveThrough(system, {
    name: 'all clocks +1 h, -1 h',
    durationMs: 0,
    begin: async () => {
      await setClocks({ all: HOUR_MS });
      await sleep(1_500);
      await setClocks({ all: -HOUR_MS });
      await sleep(1_500);
    },
    end: () => setClocks({}),
  });
  // Some have to log in again. The clock of the S3 server does not jump: it refuses what is
  // signed more than 15 minutes away from its own time, and files return 503 so long.
  expect(statusesOf([report]).filter((status) => !['401', '503'].includes(status))).toEqual([]);
}, 240_000);

test('clocks that differ by no more than 30 seconds do no harm', async () => {
  const report = await proveThrough(system, {
    name: 'clocks 30 s apart',
    durationMs: 2_000,
    begin: () =>
      setClocks({ auth: -15 * SECOND_MS, data: 14 * SECOND_MS, gateway: -14 * SECOND_MS, files: 14 * SECOND_MS }),
    end: () => setClocks({}),
  });
  expect(statusesOf([report])).toEqual([]);
}, 240_000);

test('a service whose clock is ten minutes ahead refuses tokens rather than believing old ones, until its clock is right', async () => {
  const { tokenOf, statusesOf: responsesTo } = createGatewayCaller(system.url);
  const eventuallyGet = (statuses: readonly number[]) =>
    // A process that stands still sees the other clock later.
    eventually(async () => expect(await responsesTo(tokens)).toEqual(statuses));
  const tokens = [await tokenOf('client', 'manager'), await tokenOf('client-jwt', 'manager')];
  await setClocks({ data: 10 * MINUTE_MS });
  await eventuallyGet([401, 401]);
  await setClocks({});
  await eventuallyGet([200, 200]);
  await setClocks({ data: -10 * MINUTE_MS });
  await eventuallyGet([200, 200]);
  await setClocks({});
});
