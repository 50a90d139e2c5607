import { type Entry, InProgress } from '@lintel/timing';

/** A unit of work of this process, such as a request. */
export interface Work {
  /** By `performance.now()`. */
  readonly startedAtMs: number;
  /** Its shape for the log: names of routes and sizes, never values. Called only when there is something to report. */
  describe(): Readonly<Record<string, unknown>>;
}

/** A unit of work that may have blocked the event loop. */
export interface SuspectedWork {
  readonly shape: Readonly<Record<string, unknown>>;
  /** Since it began. */
  readonly ageMs: number;
}

const MAX_SUSPECTS = 5;

const underWay = new InProgress<Work>();
let lastEnded: { readonly work: Work; readonly atMs: number } | undefined;

/** Remembers work until `endWork`. */
export const beginWork = (work: Work): Entry<Work> => underWay.begin(work);

/** @param nowMs by `performance.now()` */
export function endWork(begun: Entry<Work>, nowMs: number): void {
  if (underWay.end(begun)) lastEnded = { work: begun.item, atMs: nowMs };
}

/** How much work is under way. */
export const countWork = (): number => underWay.size;

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
