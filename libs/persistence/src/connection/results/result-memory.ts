import { AsyncLocalStorage } from 'node:async_hooks';
import { MessageTooLargeError, ResultMemoryError } from './message-errors.ts';

/** Results up to this size are not counted: the number of connections limits them. */
const SMALL_RESULT_BYTES = 256 * 1024;

export interface ResultMemoryOptions {
  /** Maximum size of all counted results together. The maximum of one result is half of it. */
  readonly maxBytes: number;
  /** Maximum wait of a connection for memory. */
  readonly maxWaitMs: number;
}

/** Uses the rows of a result until it is closed: the response that sends them. */
export interface ResultHolder {
  readonly closed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** The socket of a connection. */
interface Wire {
  pause(): unknown;
  resume(): unknown;
  destroy(error: Error): unknown;
}

/** The memory of one result. */
interface Lease {
  bytes: number;
  readonly wire: Wire;
  /** The size for which it waits; undefined while it does not wait. */
  wantedBytes: number | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Memory of the rows that a process has received from the database and still uses, over all connections.
 *
 * - While three quarters of the memory are free, results grow without a limit of their own.
 * - Otherwise one result at a time, the oldest, may use all but an eighth of the memory, and each other one a sixteenth
 *   of the free memory: there is always some for a new result.
 * - A larger result waits: its socket is paused, so the server waits as well. Released memory goes to the waiting
 *   results by age.
 * - If all results wait, the oldest may use the last eighth as well; if that is not enough, the youngest is refused.
 * - A result that has waited for `maxWaitMs` is refused, and its connection is closed.
 *
 * So the maximum is never exceeded, and every wait ends.
 */
export class ResultMemory {
  readonly maxBytes: number;
  readonly #maxWaitMs: number;
  #usedBytes = 0;
  /** By age. */
  readonly #leases = new Set<Lease>();
  #waiting = 0;
  /** The result that may use more than the others; undefined if none needs it. */
  #first: Lease | undefined;
  readonly #holders = new AsyncLocalStorage<ResultHolder>();

  constructor({ maxBytes, maxWaitMs }: ResultMemoryOptions) {
    this.maxBytes = maxBytes;
    this.#maxWaitMs = maxWaitMs;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** The number of results that wait for memory. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs work whose results are in use until the holder is closed. Without a holder a result counts until its
   * connection runs the next statement or is released.
   */
  holdFor<T>(holder: ResultHolder, work: () => T): T {
    return this.#holders.run(holder, work);
  }

  /** The holder of the current work. */
  holder(): ResultHolder | undefined {
    return this.#holders.getStore();
  }

  createMeter(wire: Wire): ResultMeter {
    return new ResultMeter(this, wire);
  }

  /** @throws MessageTooLargeError if the size exceeds the maximum of one result */
  resize(lease: Lease, bytes: number): void {
    if (bytes > this.maxBytes / 2) {
      this.release(lease);
      throw new MessageTooLargeError('LINTEL_RESULT_SIZE', bytes, this.maxBytes / 2);
    }
    this.#leases.add(lease);
    const isOther = bytes < lease.bytes;
    if (isOther && this.#first === lease) this.#first = undefined;
    if (!this.#tryResize(lease, bytes)) this.#wait(lease, bytes);
    else if (!isOther) return;
    this.#goOn();
  }

  /** The result is complete, and still in use. */
  complete(lease: Lease): void {
    if (this.#first !== lease) return;
    this.#first = undefined;
    this.#goOn();
  }

  release(lease: Lease): void {
    if (!this.#leases.delete(lease)) return;
    this.#endWait(lease);
    this.#usedBytes -= lease.bytes;
    lease.bytes = 0;
    if (this.#first === lease) this.#first = undefined;
    this.#goOn();
  }

  refuse(lease: Lease): void {
    const error = new ResultMemoryError(this.maxBytes);
    lease.wire.destroy(error);
    this.release(lease);
  }

  #tryResize(lease: Lease, bytes: number): boolean {
    const usedBytes = this.#usedBytes + bytes - lease.bytes;
    if (bytes > lease.bytes && !this.#fits(lease, bytes, this.maxBytes - usedBytes)) return false;
    this.#usedBytes = usedBytes;
    lease.bytes = bytes;
    return true;
  }

  #fits(lease: Lease, bytes: number, freeBytes: number): boolean {
    if (freeBytes >= (this.maxBytes * 3) / 4 || bytes <= freeBytes / 16) return true;
    if (freeBytes < this.maxBytes / 8 || (this.#first ?? lease) !== lease) return false;
    this.#first = lease;
    return true;
  }

  #wait(lease: Lease, bytes: number): void {
    if (lease.wantedBytes === undefined) {
      this.#waiting += 1;
      lease.wire.pause();
      // The timer need not keep the process alive: the connection does.
      lease.timer = setTimeout(() => this.refuse(lease), this.#maxWaitMs).unref();
    }
    lease.wantedBytes = bytes;
  }

  #endWait(lease: Lease): void {
    if (lease.wantedBytes === undefined) return;
    this.#waiting -= 1;
    lease.wantedBytes = undefined;
    clearTimeout(lease.timer);
  }

  #goOn(): void {
    if (this.#waiting === 0) return;
    let youngest: Lease | undefined;
    for (const lease of this.#leases) {
      if (lease.wantedBytes === undefined) continue;
      if (this.#tryResize(lease, lease.wantedBytes)) {
        this.#endWait(lease);
        lease.wire.resume();
      } else {
        youngest = lease;
      }
    }
    // If all results wait, none will release memory.
    if (youngest === undefined || this.#waiting < this.#leases.size) return;
    if (!this.#useReserve()) this.refuse(youngest);
  }

  /** Lets the oldest result use the memory that is reserved for new results. */
  #useReserve(): boolean {
    const [oldest] = this.#leases;
    const lease = this.#first ?? oldest;
    if (lease?.wantedBytes === undefined) return false;
    const usedBytes = this.#usedBytes + lease.wantedBytes - lease.bytes;
    if (usedBytes > this.maxBytes) return false;
    this.#usedBytes = usedBytes;
    lease.bytes = lease.wantedBytes;
    this.#first = lease;
    this.#endWait(lease);
    lease.wire.resume();
    return true;
  }
}

/** Measures the results of one connection, one after the other. */
export class ResultMeter {
  readonly #memory: ResultMemory;
  readonly #wire: Wire;
  #lease: Lease | undefined;

  constructor(memory: ResultMemory, wire: Wire) {
    this.#memory = memory;
    this.#wire = wire;
  }

  /**
   * Sets the size of the current result, as far as it is known.
   *
   * @throws MessageTooLargeError if the size exceeds the maximum of one result
   */
  grow(bytes: number): void {
    if (bytes <= SMALL_RESULT_BYTES) {
      // The last message was no row: the result is complete.
      if (bytes === 0 && this.#lease !== undefined) this.#memory.complete(this.#lease);
      return;
    }
    this.#lease ??= { bytes: 0, wire: this.#wire, wantedBytes: undefined, timer: undefined };
    this.#memory.resize(this.#lease, bytes);
  }

  /** Whether the current result is not counted. */
  get isSmall(): boolean {
    return this.#lease === undefined;
  }

  /** The connection is released: from now on the result belongs to its holder. */
  end(holder: ResultHolder | undefined): void {
    const lease = this.#lease;
    if (lease === undefined) return;
    this.#lease = undefined;
    if (holder === undefined || holder.closed) this.#memory.release(lease);
    else holder.once('close', () => this.#memory.release(lease));
  }

  /** The result is not used any more. */
  release(): void {
    this.end(undefined);
  }

  /** Refuses the result if it waits, because its caller does not wait any more. Returns whether it did. */
  abandon(): boolean {
    if (this.#lease?.wantedBytes === undefined) return false;
    this.#memory.refuse(this.#lease);
    this.#lease = undefined;
    return true;
  }
}

/** Creates the memory of the results of a process, which several databases may share. */
export const createResultMemory = (options: ResultMemoryOptions): ResultMemory => new ResultMemory(options);
