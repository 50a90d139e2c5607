export { type Clock, monotonicClock } from './clock.ts';
export { type AcquireOptions, type Permit, Semaphore } from './semaphore.ts';
export { WaitQueue } from './wait-queue.ts';
