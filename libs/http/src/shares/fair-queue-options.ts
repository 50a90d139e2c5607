import type { Metrics } from '@lintel/telemetry';

/** Sizes and rules of a `FairQueue`. */
export interface FairQueueOptions {
  /** Name in metrics. */
  readonly name: string;
  /** Maximum number of concurrent operations. */
  readonly capacity: number;
  /** The same for heavy operations, so that they never use the whole capacity. */
  readonly heavyCapacity: number;
  /**
   * Slots of heavy operations that one caller leaves to others. Undefined: they are divided as all slots are. For
   * operations of one caller that wait for each other while they occupy slots.
   */
  readonly heavyReserved?: number;
  /** Whether one caller may use all slots; else the slots are divided. For short operations. */
  readonly isUndivided?: boolean;
  /** Maximum number of waiting operations; then 503. */
  readonly maxWaiting: number;
  /** The same for one caller; then 429. */
  readonly maxWaitingPerCaller: number;
  /**
   * Whether, when the queue is full, the newest operation of the caller with the most waiting operations is refused
   * (429) in favour of a caller with fewer.
   */
  readonly makesRoom?: boolean;
  /** Maximum wait; then 429 where operations of the same caller run, else 503. */
  readonly maxWaitMs: number;
  /** Called with the name of an operation that has become heavy while it ran. */
  readonly onSlow?: (operation: string) => void;
  /** A monotonic clock. */
  readonly nowMs?: () => number;
  readonly metrics?: Metrics | undefined;
}
