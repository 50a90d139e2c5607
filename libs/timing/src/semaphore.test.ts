import { setImmediate as nextIteration } from 'node:timers/promises';
import { Semaphore } from './semaphore.ts';

const onTimeout = (): Error => new Error('busy');

function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

// Asserts contract/report-templates.md#conversion.
test('two calls run at a time, each with a number of its own, the others in the order in which they came', async () => {
  const semaphore = new Semaphore(2);
  const order: string[] = [];
  const gates = [gate(), gate(), gate(), gate()];
  const runs = gates.map(({ opened }, call) =>
    semaphore.run(async (number) => {
      order.push(`${call} with ${number}`);
      await opened;
    }),
  );
  expect(order).toEqual(['0 with 0', '1 with 1']);
  gates[1]?.open();
  await runs[1];
  for (const each of gates) each.open();
  await Promise.all(runs);
  expect(order.slice(0, 3)).toEqual(['0 with 0', '1 with 1', '2 with 1']);
  expect(order[3]).toMatch(/^3 with [01]$/);
  expect(semaphore.inUse).toBe(0);
});

test('a call that fails releases its permit', async () => {
  const semaphore = new Semaphore(1);
  const failing = semaphore.run(() => Promise.reject(new Error('broken')));
  const next = semaphore.run(async () => 'next');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('next');
});

test('a wait that takes too long is an error, and takes no permit', async () => {
  const semaphore = new Semaphore(1);
  const { opened, open } = gate();
  const first = semaphore.run(() => opened);
  await expect(semaphore.run(async () => undefined, { timeoutMs: 20, onTimeout })).rejects.toThrow('busy');
  open();
  await first;
  expect(await semaphore.run(async (number) => number)).toBe(0);
});

test('a caller whose signal is aborted leaves the queue, and its function is not called', async () => {
  const semaphore = new Semaphore(1);
  const { opened, open } = gate();
  const begun: string[] = [];
  const first = semaphore.run(() => opened);
  const leaving = new AbortController();
  const call = (name: string, signal?: AbortSignal) =>
    semaphore.run(async () => void begun.push(name), signal === undefined ? {} : { signal });
  const [left, next] = [call('left', leaving.signal), call('next')];
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(call('late', leaving.signal)).rejects.toThrow('gone');
  open();
  await Promise.all([first, next]);
  expect(begun).toEqual(['next']);
});

test('a permit is released once', async () => {
  const semaphore = new Semaphore(1);
  const permit = await semaphore.acquire();
  const [second, third] = [semaphore.acquire(), semaphore.acquire({ timeoutMs: 20 })];
  permit?.release();
  permit?.release();
  await nextIteration();
  expect((await second)?.number).toBe(0);
  expect(await third).toBeUndefined();
  expect(semaphore.tryAcquire()).toBeUndefined();
});
