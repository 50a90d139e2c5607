/** The time, injected so that tests can set it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * The time for ages and waits: it never jumps, whatever is done to the clock of the machine. What it says is about the
 * time of day as it was when the process started, so it is not for times that others tell.
 */
export const steadyClock: Clock = { now: () => performance.timeOrigin + performance.now() };
