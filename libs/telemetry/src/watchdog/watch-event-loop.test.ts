import { setTimeout as sleep } from 'node:timers/promises';
import { type EventLoopBlock, watchEventLoop } from './watch-event-loop.ts';
import { beginWork, countWork, endWork, type Work } from './work-under-way.ts';

/** Blocks the event loop, with processor time. */
function block(durationMs: number): void {
  const end = performance.now() + durationMs;
  while (performance.now() < end);
}

const workOf = (shape: object): Work => ({ startedAtMs: performance.now(), describe: () => ({ ...shape }) });

/** The first block that is reported. */
function firstBlock(): Promise<EventLoopBlock> {
  return new Promise((resolve) => {
    const stop = watchEventLoop(
      (found) => {
        stop();
        resolve(found);
      },
      // A busy machine stands still for less.
      { thresholdMs: 400, intervalMs: 10 },
    );
  });
}

test('a block is reported with its length and with the work that was under way', async () => {
  const found = firstBlock();
  const other = beginWork(workOf({ route: '/idle' }));
  await sleep(20);
  const work = beginWork(workOf({ method: 'POST', route: '/rest/entities/:entityName', bytes: 12 }));
  block(600);
  const { durationMs, cpuMs, underWay, suspects } = await found;
  expect(durationMs).toBeGreaterThanOrEqual(550);
  expect(cpuMs).toBeGreaterThan(0);
  expect(underWay).toBe(2);
  expect(suspects.map(({ shape }) => shape)).toEqual([
    { method: 'POST', route: '/rest/entities/:entityName', bytes: 12 },
    { route: '/idle' },
  ]);
  for (const one of [work, other]) endWork(one, performance.now());
  expect(countWork()).toBe(0);
});

test('work that ended together with the block is among the suspects', async () => {
  const found = firstBlock();
  await sleep(20);
  const work = beginWork(workOf({ route: '/fast' }));
  block(600);
  endWork(work, performance.now());
  const { underWay, suspects } = await found;
  expect([underWay, suspects[0]?.shape]).toEqual([0, { route: '/fast' }]);
});

test('delays below the threshold are no blocks', async () => {
  const blocks: EventLoopBlock[] = [];
  const stop = watchEventLoop((found) => void blocks.push(found), { thresholdMs: 10_000, intervalMs: 10 });
  block(50);
  await sleep(50);
  stop();
  expect(blocks).toEqual([]);
});
