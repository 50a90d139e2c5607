import { AsyncLocalStorage } from 'node:async_hooks';
import { MessageTooLargeError, ResultMemoryError } from './message-errors.ts';

/** Results up to this size are not counted: the limit of connections is theirs. */
const SMALL_RESULT_BYTES = 256 * 1024;

export interface ResultMemoryOptions {
  /** All results that are counted have at most this size together. One alone has at most half of it. */
  readonly maxBytes: number;
  /** Longest wait of a connection for memory. */
  readonly maxWaitMs: number;
}

/** What uses the rows of a result until it is closed: the response that they are sent with. */
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
  /** Size that it waits for; undefined while it does not wait. */
  wantedBytes: number | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Bytes of the rows that a process has received from the database and still uses, over all connections.
 *
 * While three quarters of the memory are free, results grow as they come. After that one result at a time, the oldest,
 * may use all but an eighth of the memory, and each of the others a sixteenth of what is free: a new one always finds
 * some. A larger one waits: its socket is not read, so that the server waits as well. Where memory becomes free, the
 * waiting ones go on by age. Where all wait for each other, the oldest may use the last eighth, too; where that is too
 * little, the youngest is refused. A result that waits for `maxWaitMs` is refused as well; its connection is then closed.
 * So the maximum is never exceeded, and every wait ends.
 */
export class ResultMemory {
  readonly maxBytes: number;
  readonly #maxWaitMs: number;
  #usedBytes = 0;
  /** By age. */
  readonly #leases = new Set<Lease>();
  #waiting = 0;
  /** The one that may use more than the others; undefined where none needs it. */
  #first: Lease | undefined;
  readonly #holders = new AsyncLocalStorage<ResultHolder>();

  constructor({ maxBytes, maxWaitMs }: ResultMemoryOptions) {
    this.maxBytes = maxBytes;
    this.#maxWaitMs = maxWaitMs;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /**
   * Runs work whose results are used until the holder is closed. Without it a result counts until its connection
   * serves the next statement, or is given back.
   */
  holdFor<T>(holder: ResultHolder, work: () => T): T {
    return this.#holders.run(holder, work);
  }

  /** The holder of the work that runs now. */
  holder(): ResultHolder | undefined {
    return this.#holders.getStore();
  }

  createMeter(wire: Wire): ResultMeter {
    return new ResultMeter(this, wire);
  }

  /** @throws MessageTooLargeError where it never fits */
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

  /** All of the result is there; it is still used. */
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
      // The connection itself keeps the process alive.
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
    // Nothing else will free memory.
    if (youngest === undefined || this.#waiting < this.#leases.size) return;
    if (!this.#useReserve()) this.refuse(youngest);
  }

  /** Lets the oldest go on with what is kept free for new results. */
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
   * The current result has this size, as far as it is known.
   *
   * @throws MessageTooLargeError where it never fits
   */
  grow(bytes: number): void {
    if (bytes <= SMALL_RESULT_BYTES) {
      // No row came last.
      if (bytes === 0 && this.#lease !== undefined) this.#memory.complete(this.#lease);
      return;
    }
    this.#lease ??= { bytes: 0, wire: this.#wire, wantedBytes: undefined, timer: undefined };
    this.#memory.resize(this.#lease, bytes);
  }

  /** The connection serves others now: the result belongs to its holder. */
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

  /** Refuses the result where it waits: nothing is waited for any more. Returns whether it did. */
  abandon(): boolean {
    if (this.#lease?.wantedBytes === undefined) return false;
    this.#memory.refuse(this.#lease);
    this.#lease = undefined;
    return true;
  }
}

/** Creates the memory for the results of a process, which several databases may share. */
export const createResultMemory = (options: ResultMemoryOptions): ResultMemory => new ResultMemory(options);
