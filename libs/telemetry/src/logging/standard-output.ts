import { write, writeSync } from 'node:fs';
import type { LogDestination } from './create-logger.ts';

const DESCRIPTOR = 1;

/** Lines are written as soon as there are this many characters of them. */
const WRITTEN_FROM_LENGTH = 12_288;

/** Maximum time between a line and its write; also the time until a reader that takes nothing gets the next attempt. */
const MAX_WAIT_MS = 100;

/** A process that ends waits this often for a reader that takes nothing. */
const LAST_ATTEMPTS = 20;

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
  #isWriting = false;
  #willFlush = false;

  constructor() {
    process.on('exit', () => this.#writeLast());
  }

  write(line: string): void {
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
    if (this.#isWriting || this.#length === 0) return;
    this.#isWriting = true;
    this.#write(this.#take());
  }

  #take(): Buffer {
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#length = 0;
    return bytes;
  }

  #write(bytes: Buffer): void {
    write(DESCRIPTOR, bytes, (error, count) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.#write(bytes), MAX_WAIT_MS);
      else if (error === null && count < bytes.length) this.#write(bytes.subarray(count));
      else {
        this.#isWriting = false;
        this.#flushSoon();
      }
    });
  }

  #writeLast(): void {
    let bytes = this.#take();
    for (let attempt = 0; bytes.length > 0 && attempt < LAST_ATTEMPTS; ) {
      try {
        bytes = bytes.subarray(writeSync(DESCRIPTOR, bytes));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        attempt += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MAX_WAIT_MS);
      }
    }
  }
}
