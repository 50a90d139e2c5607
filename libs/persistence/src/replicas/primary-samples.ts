import type { LogPosition } from '../connection/log-position.ts';

interface Sample {
  readonly atMs: number;
  readonly position: LogPosition;
}

/**
 * Where the log of the primary ended when. A replica that has replayed one of these places shows everything that was
 * committed before that moment: its age, by the clock of this process alone, however idle the primary is.
 */
export class PrimarySamples {
  readonly #keepMs: number;
  /** Oldest first. */
  #samples: Sample[] = [];

  /** @param keepMs how long samples are of interest */
  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  /** @param atMs before the primary was asked */
  note(atMs: number, position: LogPosition): void {
    this.#samples.push({ atMs, position });
    const firstKept = this.#samples.findIndex((sample) => atMs - sample.atMs <= this.#keepMs);
    if (firstKept > 0) this.#samples.splice(0, firstKept);
  }

  /** The last moment of which everything is shown at the place; undefined where that was long ago. */
  momentOf(position: LogPosition): number | undefined {
    return this.#samples.findLast((sample) => sample.position <= position)?.atMs;
  }
}
