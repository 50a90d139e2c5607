import { createLimitedPool } from './limited-pool.ts';

const never = new AbortController().signal;
const busy = (): Error => new Error('busy');

function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

test('so many tasks run at the same time, each in a place of its own, the others in their turn', async () => {
  const pool = createLimitedPool(2, 60_000);
  const order: string[] = [];
  const gates = [gate(), gate(), gate(), gate()];
  const runs = gates.map(({ opened }, task) =>
    pool.run(
      async (place) => {
        order.push(`${task} in ${place}`);
        await opened;
      },
      never,
      busy,
    ),
  );
  await Promise.resolve();
  expect(order).toEqual(['0 in 0', '1 in 1']);
  gates[1]?.open();
  await runs[1];
  for (const each of gates) each.open();
  await Promise.all(runs);
  expect(order.slice(0, 3)).toEqual(['0 in 0', '1 in 1', '2 in 1']);
  expect(order[3]).toMatch(/^3 in [01]$/);
});

test('a task that fails leaves its place', async () => {
  const pool = createLimitedPool(1, 60_000);
  await expect(pool.run(() => Promise.reject(new Error('broken')), never, busy)).rejects.toThrow('broken');
  expect(await pool.run(async () => 'next', never, busy)).toBe('next');
});

test('who waits too long, or no more, is told so and takes no place', async () => {
  const pool = createLimitedPool(1, 20);
  const { opened, open } = gate();
  const first = pool.run(() => opened, never, busy);
  await expect(pool.run(async () => undefined, never, busy)).rejects.toThrow('busy');
  const stop = new AbortController();
  const waiting = pool.run(async () => undefined, stop.signal, busy);
  stop.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  await expect(pool.run(async () => undefined, AbortSignal.abort(new Error('gone')), busy)).rejects.toThrow('gone');
  open();
  await first;
  expect(await pool.run(async (place) => place, never, busy)).toBe(0);
});
