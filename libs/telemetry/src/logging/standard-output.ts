import { write, writeSync } from 'node:fs';
import type { LogDestination } from './create-logger.ts';

const DESCRIPTOR = 1;

/** Lines are written as soon as there are this many characters of them. */
const WRITTEN_FROM_LENGTH = 12_288;

/** Maximum time between a line and its write; also the time until a reader that takes nothing gets the next attempt. */
const MAX_WAIT_MS = 100;

/** Characters that are kept for a reader that takes nothing; later lines are dropped. */
const MAX_LENGTH = 16 * 1_024 * 1_024;

/** A process that ends waits this often, and so long each time, for a reader that takes nothing: two seconds in all. */
const LAST_ATTEMPTS = 200;
const LAST_WAIT_MS = 10;

/**
 * Standard output for lines. They are buffered and written together after at most a tenth of a second: one write for
 * each line would double the cost of the log of a small request. A process that ends writes the rest of the buffer.
 *
 * Lines that cannot be written, since nothing reads them any more or a disk is full, are dropped: a log must neither
 * stop a process nor keep it from ending.
 */
export class StandardOutput implements LogDestination {
  #lines: string[] = [];
  #length = 0;
  /** Of a write in progress, what is not known to be written. */
  #rest: Buffer | undefined;
  /** Whether the reader took nothing, so that the rest waits for the next attempt. */
  #isWaiting = false;
  #willFlush = false;

  constructor() {
    // Node makes a pipe non-blocking when its stream is created. Otherwise a write that its reader does not take would
    // block a thread, and the process would wait for this thread at its end.
    void process.stdout;
    process.on('exit', () => this.#writeLast());
  }

  write(line: string): void {
    if (this.#length > MAX_LENGTH) return;
    this.#lines.push(line);
    this.#length += line.length;
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#length >= WRITTEN_FROM_LENGTH) this.#flush();
    else if (this.#length > 0) this.#flushLater();
  }

  #flushLater(): void {
    if (this.#willFlush) return;
    this.#willFlush = true;
    setTimeout(() => {
      this.#willFlush = false;
      this.#flush();
    }, MAX_WAIT_MS).unref();
  }

  /** No effect while a write is in progress: its end begins the next one. */
  #flush(): void {
    if (this.#rest !== undefined || this.#length === 0) return;
    this.#write(this.#take());
  }

  #take(): Buffer {
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#length = 0;
    return bytes;
  }

  #write(bytes: Buffer): void {
    this.#rest = bytes;
    this.#isWaiting = false;
    write(DESCRIPTOR, bytes, (error, count) => {
      if (error?.code === 'EAGAIN') {
        this.#isWaiting = true;
        setTimeout(() => this.#write(bytes), MAX_WAIT_MS).unref();
      } else if (error === null && count < bytes.length) this.#write(bytes.subarray(count));
      else {
        this.#rest = undefined;
        this.#flushSoon();
      }
    });
  }

  #writeLast(): void {
    // A write in progress is completed by its thread.
    const rest = this.#isWaiting && this.#rest !== undefined ? [this.#rest] : [];
    let bytes = Buffer.concat([...rest, this.#take()]);
    for (let attempt = 0; bytes.length > 0 && attempt < LAST_ATTEMPTS; ) {
      try {
        bytes = bytes.subarray(writeSync(DESCRIPTOR, bytes));
        attempt = 0;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        attempt += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_WAIT_MS);
      }
    }
  }
}
