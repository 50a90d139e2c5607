import type { Metrics } from '@lintel/telemetry';

/** Sizes and rules of a `FairQueue`. */
export interface FairQueueOptions {
  /** Name in metrics. */
  readonly name: string;
  /** Operations that run at the same time. */
  readonly capacity: number;
  /** The same for heavy operations, which so never use the whole capacity. */
  readonly heavyCapacity: number;
  /**
   * Slots of heavy operations that one caller leaves to others. Without it they are divided as all slots are. For
   * operations of one caller that wait for each other while they hold their slots.
   */
  readonly heavyReserved?: number;
  /** Whether one caller alone may use all slots; without it the slots are divided. For operations that are short. */
  readonly isUndivided?: boolean;
  /** Operations that wait; then 503. */
  readonly maxWaiting: number;
  /** The same for one caller; then 429. */
  readonly maxWaitingPerCaller: number;
  /**
   * Whether, when so many wait, the caller with the most waiting operations gives up its newest one (429) for a caller
   * with fewer.
   */
  readonly makesRoom?: boolean;
  /** Longest wait: 429 where the caller's own operations run, else 503. */
  readonly maxWaitMs: number;
  /** Called with the name of an operation that was not known as heavy and has run so long that it counts as heavy. */
  readonly onSlow?: (operation: string) => void;
  /** Milliseconds; must never jump. */
  readonly nowMs?: () => number;
  readonly metrics?: Metrics | undefined;
}
