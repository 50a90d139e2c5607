import { createPeriodicTask } from './create-periodic-task.ts';

// In an ES module `jest` is a member of `import.meta`.
const { jest: fake } = import.meta as unknown as { readonly jest: typeof jest };

beforeEach(() => void fake.useFakeTimers());
afterEach(() => void fake.useRealTimers());

const fail = (error: unknown): void => {
  throw error;
};

test('the work runs at the start and at each interval, until the task is stopped', async () => {
  let runs = 0;
  const task = createPeriodicTask(async () => (runs += 1), 1_000, fail);
  task.start();
  expect(runs).toBe(1);
  await fake.advanceTimersByTimeAsync(2_000);
  expect(runs).toBe(3);
  await task.stop();
  await fake.advanceTimersByTimeAsync(5_000);
  expect(runs).toBe(3);
});

test('no run begins while another one is in progress, and the stop waits for it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let runs = 0;
  const task = createPeriodicTask(
    () => {
      runs += 1;
      return promise;
    },
    1_000,
    fail,
  );
  task.start();
  await fake.advanceTimersByTimeAsync(5_000);
  expect(runs).toBe(1);
  let isStopped = false;
  const stopped = task.stop().then(() => {
    isStopped = true;
  });
  await fake.advanceTimersByTimeAsync(0);
  expect(isStopped).toBe(false);
  resolve();
  await stopped;
});

test('a failure is reported, and the work runs again', async () => {
  const failures: unknown[] = [];
  const task = createPeriodicTask(
    () => Promise.reject(new Error('away')),
    1_000,
    (error) => failures.push(error),
  );
  task.start();
  await fake.advanceTimersByTimeAsync(1_000);
  expect(failures).toEqual([new Error('away'), new Error('away')]);
  await task.stop();
});
