export { afterRunning } from './after-running.ts';
export { type Clock, monotonicClock } from './clock.ts';
export { createPeriodicTask, type PeriodicTask } from './create-periodic-task.ts';
export { type Entry, InProgress } from './in-progress.ts';
export { nextIteration } from './next-iteration.ts';
export { type Permit, Semaphore } from './semaphore.ts';
export { WaitQueue } from './wait-queue.ts';
