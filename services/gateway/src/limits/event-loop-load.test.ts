import { createEventLoopLoad, type EventLoopLoad } from './event-loop-load.ts';

const delays = (load: EventLoopLoad, ...values: readonly number[]): void => {
  for (const value of values) load.sample(value);
};

test('a process is overloaded while most timers are late, not after one long task', () => {
  const load = createEventLoopLoad(500);
  delays(load, 0, 0, 5_000, 1, 0, 2, 0, 0, 3);
  expect(() => load.assertFree()).not.toThrow();
  delays(load, 600, 700, 800, 600, 900);
  expect(() => load.assertFree()).toThrow('The service has too many requests; try again later');
  delays(load, 0, 0, 0, 0, 0);
  expect(() => load.assertFree()).not.toThrow();
});

test('a process that has just started is not overloaded', () => {
  const load = createEventLoopLoad(500);
  delays(load, 900, 900, 900, 900);
  expect(() => load.assertFree()).not.toThrow();
});
