/** The time, injected so that tests can set it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * The monotonic time for ages and waits: it never jumps when the clock of the machine is set. It starts with the time
 * of day at the start of the process, so it must not be compared with times of other machines.
 */
export const monotonicClock: Clock = { now: () => performance.timeOrigin + performance.now() };
