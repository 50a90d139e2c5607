import type { LogPosition } from '../connection/log-position.ts';

interface Sample {
  readonly atMs: number;
  readonly position: LogPosition;
}

/**
 * Log positions of the primary with the times at which they were read. A replica that has replayed one of these
 * positions has everything that was committed before that time. So the age of a replica is known by the clock of this
 * process alone, also while the primary is idle.
 */
export class PrimarySamples {
  readonly #keepMs: number;
  /** Oldest first. */
  #samples: Sample[] = [];

  /** @param keepMs how long samples are kept */
  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  /** @param atMs time before the position was read from the primary */
  note(atMs: number, position: LogPosition): void {
    this.#samples.push({ atMs, position });
    const firstKept = this.#samples.findIndex((sample) => atMs - sample.atMs <= this.#keepMs);
    if (firstKept > 0) this.#samples.splice(0, firstKept);
  }

  /**
   * Returns the latest time of which a server at this position has all commits; undefined if no kept sample is as
   * old.
   */
  momentOf(position: LogPosition): number | undefined {
    return this.#samples.findLast((sample) => sample.position <= position)?.atMs;
  }
}
