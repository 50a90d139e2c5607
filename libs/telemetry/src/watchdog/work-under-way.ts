/** A unit of work of this process, such as a request. */
export interface Work {
  /** By `performance.now()`. */
  readonly startedAtMs: number;
  /** Its shape for the log: names of routes and sizes, never values. Called only when there is something to report. */
  describe(): Readonly<Record<string, unknown>>;
  /** Its position among the work in progress; set by `beginWork`. */
  position?: number | undefined;
}

/** A unit of work that may have blocked the event loop. */
export interface SuspectedWork {
  readonly shape: Readonly<Record<string, unknown>>;
  /** Since it began. */
  readonly ageMs: number;
}

const MAX_SUSPECTS = 5;

/**
 * In any order. Not a set: V8 links each former table of a set to the next one, so that a table in the old generation
 * keeps the work of all later tables, with its requests, until the next full garbage collection.
 */
const underWay: Work[] = [];
let lastEnded: { readonly work: Work; readonly atMs: number } | undefined;

/** Remembers work until `endWork`. */
export function beginWork(work: Work): void {
  work.position = underWay.length;
  underWay.push(work);
}

/**
 * Must follow `beginWork`; a second call has no effect.
 *
 * @param nowMs by `performance.now()`
 */
export function endWork(work: Work, nowMs: number): void {
  const { position } = work;
  if (position === undefined) return;
  work.position = undefined;
  const last = underWay.pop();
  if (last !== undefined && last !== work) {
    underWay[position] = last;
    last.position = position;
  }
  lastEnded = { work, atMs: nowMs };
}

/** How much work is under way. */
export const countWork = (): number => underWay.length;

/**
 * The work that may have blocked the event loop since `sinceMs`: all work in progress, and the work that ended last if
 * it ended after the block began. The youngest is first, since most blocks are in the first steps of a request.
 */
export function suspectedWork(sinceMs: number, nowMs: number): readonly SuspectedWork[] {
  const suspects = [...underWay];
  if (lastEnded !== undefined && lastEnded.atMs >= sinceMs) suspects.push(lastEnded.work);
  return suspects
    .sort((one, other) => other.startedAtMs - one.startedAtMs)
    .slice(0, MAX_SUSPECTS)
    .map((work) => ({ shape: work.describe(), ageMs: Math.round(nowMs - work.startedAtMs) }));
}
