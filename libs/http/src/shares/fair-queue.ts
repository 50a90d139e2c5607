import { PlatformError } from '@lintel/errors';
import { type Counter, type Histogram, NO_METRICS } from '@lintel/telemetry';
import type { FairQueueOptions } from './fair-queue-options.ts';

/**
 * The known duration of an operation. `ordinary` ones may use all slots, `untried` ones (that have never completed)
 * leave some of them free, `heavy` ones have their own limit.
 */
export type OperationKind = 'ordinary' | 'untried' | 'heavy';

/** The permission to run one operation. */
export interface Slot {
  /** Must be called once, when the operation has ended. */
  end(): void;
}

interface Running {
  readonly flow: Flow;
  /** Its name, unless it is known as heavy. */
  readonly operation: string | undefined;
  readonly startedMs: number;
  readonly expectedMs: number;
  isHeavy: boolean;
  /** Whether it has become heavy while it ran. */
  isSlow: boolean;
}

interface Waiting {
  readonly operation: string | undefined;
  readonly sinceMs: number;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (slot: Slot) => void;
  readonly reject: (reason: unknown) => void;
}

/** The operations of one caller. */
interface Flow {
  readonly caller: string;
  running: number;
  /** Sum of the durations of the caller's operations, in the virtual time of the queue (start-time fair queueing). */
  virtualMs: number;
  /** Moving average of the duration of one operation; 0 before the first one has ended. */
  meanMs: number;
  /** Number of its running operations that became heavy while they ran. */
  slow: number;
  /** Number of its running heavy operations. */
  heavyRunning: number;
  readonly waiting: Readonly<Record<OperationKind, Waiting[]>>;
}

const KINDS: readonly OperationKind[] = ['ordinary', 'untried', 'heavy'];

/** Maximum number of callers without operations whose state is kept. */
const MAX_IDLE_FLOWS = 1_000;
/** Maximum time between two checks of the waiting operations. */
const CHECK_MS = 250;
/** Weight of the latest operation in the moving average. */
const MEAN_WEIGHT = 0.2;
/** A caller whose operations take less time on average may use nearly all slots, since it releases them soon. */
const QUICK_MS = 20;
/** Slots that even such a caller leaves to others. */
const RESERVED_SLOTS = 2;
/** An operation that has run longer counts as heavy from then on. */
const SLOW_MS = 250;

/**
 * Divides a limited number of concurrent operations fairly among callers.
 *
 * A caller with `n` running operations starts another one only while more than `n` are free: one caller alone uses
 * half of the capacity, two use a third each, and a caller without a running operation gets a free slot at once
 * (dynamic thresholds, Choudhury and Hahne 1998). A caller whose operations were quick so far may use all slots but
 * two. If callers wait, the one that has used the least time is next (start-time fair queueing, Goyal et al. 1996);
 * operations of one caller and kind start in their order. Operations that run long become heavy while they run.
 * The slots of heavy operations are divided by the same thresholds.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #nowMs: () => number;
  readonly #flows = new Map<string, Flow>();
  readonly #backlogged = new Set<Flow>();
  /** Running operations that are not heavy, in the order of their start. */
  readonly #light = new Set<Running>();
  /** Slots that untried operations leave to others. */
  readonly #reserved: number;
  readonly #waits: Histogram;
  readonly #refusals: Readonly<Record<'share' | 'overload', Counter>>;
  #running = 0;
  #heavyRunning = 0;
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Virtual time of the operation that started last. */
  #virtualMs = 0;
  /** Highest virtual time of a flow; the virtual clock advances to it when nothing runs. */
  #highestMs = 0;

  constructor(options: FairQueueOptions) {
    const { name: queue, metrics = NO_METRICS } = options;
    this.#options = options;
    this.#reserved = Math.min(RESERVED_SLOTS, Math.floor(options.capacity / 4));
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#waits = metrics.histogram('lintel.shares.wait_time', { queue });
    this.#refusals = {
      share: metrics.counter('lintel.shares.refusals', { queue, reason: 'share' }),
      overload: metrics.counter('lintel.shares.refusals', { queue, reason: 'overload' }),
    };
    metrics.observe('lintel.shares.running', () => this.#running, { queue });
    metrics.observe('lintel.shares.waiting', () => this.#waiting, { queue });
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** A slot, if one is free for the caller now. */
  tryTake(caller: string, kind: OperationKind, operation?: string): Slot | undefined {
    this.#findSlow();
    const flow = this.#flowOf(caller);
    if (flow.waiting[kind].length > 0 || !this.#mayStart(flow, kind)) return undefined;
    this.#activate(flow);
    return this.#start(flow, kind, operation);
  }

  /**
   * A slot, at once or after a wait.
   *
   * @param operation its name, for `onSlow`
   * @throws PlatformError REQ_TOO_MANY_REQUESTS if the caller has used up its share, REQ_OVERLOADED if the
   *   queue is full of operations of others; the reason of the signal where it aborts
   */
  take(caller: string, kind: OperationKind, signal?: AbortSignal, operation?: string): Promise<Slot> {
    const free = this.tryTake(caller, kind, operation);
    if (free !== undefined) return Promise.resolve(free);
    const flow = this.#flowOf(caller);
    const refusal = this.#refusalOf(flow);
    if (refusal !== undefined) return Promise.reject(refusal);
    return this.#wait(flow, kind, signal, operation);
  }

  /** Runs an ordinary operation in a slot. Rejects as `take`, and as the operation. */
  async run<T>(caller: string, operation: () => Promise<T>): Promise<T> {
    const slot = await this.take(caller, 'ordinary');
    try {
      return await operation();
    } finally {
      slot.end();
    }
  }

  #wait(
    flow: Flow,
    kind: OperationKind,
    signal: AbortSignal | undefined,
    operation: string | undefined,
  ): Promise<Slot> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    this.#activate(flow);
    this.#waiting += 1;
    this.#backlogged.add(flow);
    // One timer for all waiting operations: one for each would cost more than most waits.
    this.#timer ??= setInterval(() => this.#checkWaiting(), Math.min(CHECK_MS, this.#options.maxWaitMs / 4)).unref();
    return new Promise((resolve, reject) => {
      flow.waiting[kind].push({ operation, sinceMs: this.#nowMs(), signal, resolve, reject });
    });
  }

  /** Ends the waits of aborted requests, and those that took too long. */
  #checkWaiting(): void {
    if (this.#waiting === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const latestMs = this.#nowMs() - this.#options.maxWaitMs;
    for (const flow of this.#backlogged) {
      for (const queue of Object.values(flow.waiting))
        for (const waiting of queue.filter(({ sinceMs, signal }) => sinceMs <= latestMs || signal?.aborted === true)) {
          queue.splice(queue.indexOf(waiting), 1);
          this.#waiting -= 1;
          const isAborted = waiting.signal?.aborted === true;
          const refuse = (): PlatformError => (flow.running > 0 ? this.#ownShareUsed(flow) : this.#full());
          waiting.reject(isAborted ? waiting.signal?.reason : refuse());
        }
      if (!isBacklogged(flow)) this.#backlogged.delete(flow);
    }
  }

  #flowOf(caller: string): Flow {
    const known = this.#flows.get(caller);
    if (known !== undefined) return known;
    if (this.#flows.size >= MAX_IDLE_FLOWS) this.#forgetIdle();
    const waiting = { ordinary: [], untried: [], heavy: [] };
    const flow: Flow = { caller, running: 0, virtualMs: this.#virtualMs, meanMs: 0, slow: 0, heavyRunning: 0, waiting };
    this.#flows.set(caller, flow);
    return flow;
  }

  #forgetIdle(): void {
    for (const flow of this.#flows.values())
      if (flow.running === 0 && !isBacklogged(flow)) this.#flows.delete(flow.caller);
  }

  #mayStart(flow: Flow, kind: OperationKind): boolean {
    const { capacity, isUndivided } = this.#options;
    // The slots of heavy operations are divided in the same way: one caller leaves some to others.
    if (kind === 'heavy' && !this.#mayStartHeavy(flow)) return false;
    const free = capacity - this.#running;
    if (isUndivided === true) return free > 0;
    // A caller without running operations may use all but the last one of the slots reserved from untried operations.
    if (kind === 'untried' && free <= (flow.running === 0 ? Math.min(1, this.#reserved) : this.#reserved)) return false;
    return flow.running < free || (kind !== 'heavy' && free > RESERVED_SLOTS && isQuick(flow));
  }

  #mayStartHeavy({ heavyRunning }: Flow): boolean {
    const { heavyCapacity, heavyReserved } = this.#options;
    const free = heavyCapacity - this.#heavyRunning;
    if (heavyReserved === undefined) return heavyRunning < free;
    return free > (heavyRunning === 0 ? 0 : heavyReserved);
  }

  /**
   * Makes operations that have run long heavy: they use the slots of heavy ones, and others of their name start as
   * heavy.
   */
  #findSlow(): void {
    if (this.#running * 2 < this.#options.capacity || this.#light.size === 0) return;
    const latestMs = this.#nowMs() - SLOW_MS;
    for (const running of this.#light) {
      if (running.startedMs > latestMs) return;
      this.#light.delete(running);
      running.isHeavy = true;
      running.isSlow = true;
      running.flow.slow += 1;
      running.flow.heavyRunning += 1;
      this.#heavyRunning += 1;
      if (running.operation !== undefined) this.#options.onSlow?.(running.operation);
    }
  }

  /** An idle caller is neither charged for the time without operations nor favoured because of it. */
  #activate(flow: Flow): void {
    if (flow.running === 0 && !isBacklogged(flow)) flow.virtualMs = Math.max(flow.virtualMs, this.#virtualMs);
  }

  #start(flow: Flow, kind: OperationKind, operation: string | undefined): Slot {
    const isHeavy = kind === 'heavy';
    this.#running += 1;
    flow.running += 1;
    if (flow.virtualMs > this.#virtualMs) this.#virtualMs = flow.virtualMs;
    // The expected time is charged at the start, so that slots that become free together go to different callers.
    const expectedMs = flow.meanMs;
    flow.virtualMs += expectedMs;
    const running: Running = { flow, operation, startedMs: this.#nowMs(), expectedMs, isHeavy, isSlow: false };
    if (isHeavy) {
      this.#heavyRunning += 1;
      flow.heavyRunning += 1;
    } else this.#light.add(running);
    return { end: () => this.#end(running) };
  }

  #end(running: Running): void {
    const { flow, expectedMs } = running;
    const durationMs = this.#nowMs() - running.startedMs;
    this.#running -= 1;
    if (running.isHeavy) {
      this.#heavyRunning -= 1;
      flow.heavyRunning -= 1;
    } else this.#light.delete(running);
    if (running.isSlow) flow.slow -= 1;
    flow.running -= 1;
    flow.virtualMs += durationMs - expectedMs;
    flow.meanMs += MEAN_WEIGHT * (durationMs - flow.meanMs);
    if (flow.virtualMs > this.#highestMs) this.#highestMs = flow.virtualMs;
    if (this.#waiting > 0) this.#startWaiting();
    // After an idle moment all callers are equal again.
    else if (this.#running === 0) this.#virtualMs = this.#highestMs;
  }

  /** Starts waiting operations that may start, those of the callers with the lowest virtual time first. */
  #startWaiting(): void {
    this.#findSlow();
    for (;;) {
      let best: Flow | undefined;
      for (const flow of this.#backlogged)
        if ((best === undefined || flow.virtualMs < best.virtualMs) && this.#startable(flow) !== undefined) best = flow;
      const kind = best && this.#startable(best);
      if (best === undefined || kind === undefined) return;
      const waiting = best.waiting[kind].shift();
      if (waiting === undefined) return;
      if (!isBacklogged(best)) this.#backlogged.delete(best);
      this.#waiting -= 1;
      if (waiting.signal?.aborted === true) waiting.reject(waiting.signal.reason);
      else {
        this.#waits.record((this.#nowMs() - waiting.sinceMs) / 1_000);
        waiting.resolve(this.#start(best, kind, waiting.operation));
      }
    }
  }

  /** The kind of the caller's operation that may start now: of those that may, the one that has waited longest. */
  #startable(flow: Flow): OperationKind | undefined {
    let found: OperationKind | undefined;
    let foundSinceMs = Number.POSITIVE_INFINITY;
    for (const kind of KINDS) {
      const [first] = flow.waiting[kind];
      if (first === undefined || first.sinceMs >= foundSinceMs || !this.#mayStart(flow, kind)) continue;
      found = kind;
      foundSinceMs = first.sinceMs;
    }
    return found;
  }

  #refusalOf(flow: Flow): PlatformError | undefined {
    const { maxWaiting, maxWaitingPerCaller, maxWaitMs, makesRoom } = this.#options;
    const own = waitingOf(flow);
    if (own >= maxWaitingPerCaller || (own > 0 && this.#isStuck(flow) && this.#expectedWaitMs(flow) > maxWaitMs))
      return this.#ownShareUsed(flow);
    if (this.#waiting < maxWaiting || (makesRoom === true && this.#makeRoom(own))) return undefined;
    return this.#full();
  }

  /** Refuses the newest operation of the caller with the most waiting operations, where it has more than `own`. */
  #makeRoom(own: number): boolean {
    let largest: Flow | undefined;
    for (const flow of this.#backlogged)
      if (largest === undefined || waitingOf(flow) > waitingOf(largest)) largest = flow;
    if (largest === undefined || waitingOf(largest) <= own + 1) return false;
    let newest: Waiting[] | undefined;
    for (const queue of Object.values(largest.waiting))
      if ((queue.at(-1)?.sinceMs ?? -1) >= (newest?.at(-1)?.sinceMs ?? 0)) newest = queue;
    newest?.pop()?.reject(this.#ownShareUsed(largest));
    this.#waiting -= 1;
    return true;
  }

  /** Whether an operation of the caller waits long now: the average duration of its operations may be outdated. */
  #isStuck({ waiting }: Flow): boolean {
    let sinceMs = Number.POSITIVE_INFINITY;
    for (const kind of KINDS) sinceMs = Math.min(sinceMs, waiting[kind][0]?.sinceMs ?? sinceMs);
    return this.#nowMs() - sinceMs > this.#options.maxWaitMs / 2;
  }

  #expectedWaitMs(flow: Flow): number {
    return ((waitingOf(flow) + 1) * flow.meanMs) / Math.max(1, flow.running);
  }

  #ownShareUsed(flow: Flow): PlatformError {
    this.#refusals.share.add(1);
    const seconds = Math.min(60, Math.max(1, Math.ceil(this.#expectedWaitMs(flow) / 1_000)));
    return new PlatformError(
      'REQ_TOO_MANY_REQUESTS',
      `Requests of the same caller use its share of the service; try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`,
      { headers: { 'Retry-After': String(seconds) } },
    );
  }

  #full(): PlatformError {
    this.#refusals.overload.add(1);
    return new PlatformError('REQ_OVERLOADED', 'The service has too many requests; try again later', {
      headers: { 'Retry-After': '2' },
    });
  }
}

const waitingOf = ({ waiting: { ordinary, untried, heavy } }: Flow): number =>
  ordinary.length + untried.length + heavy.length;
const isBacklogged = (flow: Flow): boolean => waitingOf(flow) > 0;
const isQuick = ({ slow, meanMs }: Flow): boolean => slow === 0 && meanMs > 0 && meanMs < QUICK_MS;
