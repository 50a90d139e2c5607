import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentPiece } from '@lintel/documents';
import type { Logger } from '@lintel/telemetry';
import type { SpoolSpace } from './spool-space.ts';

/** Maximum of unread bytes of one document in memory; more are in a temporary file. */
const MEMORY_BYTES = 256 * 1024;
const READ_BYTES = 64 * 1024;
/** Documents up to this size, and the frames of larger ones, are complete before their first byte is sent. */
const HELD_BYTES = 64 * 1024;

export interface SpoolOptions {
  readonly space: SpoolSpace;
  readonly caller: string;
  /** Whether more than the frame of the document has been rendered. */
  readonly isBegun: () => boolean;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Buffers a rendered document until its client has read it, so that rendering does not wait for the client. Where the
 * caller has no space left, rendering waits.
 */
export class DocumentSpool {
  readonly #options: SpoolOptions;
  readonly #inMemory: Uint8Array[] = [];
  #memoryBytes = 0;
  #file: FileHandle | undefined;
  #isFileUsable = true;
  #readTo = 0;
  #writtenTo = 0;
  #takenBytes = 0;
  #addedBytes = 0;
  /** A piece waits until the reader has taken others. */
  #isFull = false;
  #state: 'open' | 'ended' | 'failed' | 'closed' = 'open';
  #error: unknown;
  #changed = Promise.withResolvers<void>();

  constructor(options: SpoolOptions) {
    this.#options = options;
  }

  /** Reads the content to its end, or until the spool is closed. `read` throws its errors. */
  async fill(content: AsyncIterable<DocumentPiece>): Promise<void> {
    try {
      for await (const piece of content) {
        if (!(await this.#add(typeof piece === 'string' ? Buffer.from(piece) : piece))) return;
      }
      this.#end('ended');
    } catch (error) {
      this.#error = error;
      this.#end('failed');
    }
  }

  /**
   * Yields the pieces in their order, to a single reader. The first one waits until rows of the document follow its
   * frame, so that an error of the first rows comes instead of it.
   */
  async *read(): AsyncGenerator<Uint8Array> {
    while (this.#state === 'open' && !this.#isDue()) await this.#changed.promise;
    while (this.#state !== 'closed') {
      if (this.#state === 'failed') throw this.#error;
      const piece = this.#inMemory.shift();
      if (piece !== undefined) {
        this.#memoryBytes -= piece.length;
        this.#change();
        yield piece;
      } else if (this.#readTo < this.#writtenTo) yield await this.#readFile();
      else if (this.#state === 'ended') return;
      else await this.#changed.promise;
    }
  }

  /** Releases memory and file; aborts an unfinished document. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#end('closed');
    this.#inMemory.length = 0;
    this.#release();
    await this.#file?.close();
  }

  /** Returns false where the spool was closed. */
  async #add(piece: Uint8Array): Promise<boolean> {
    this.#addedBytes += piece.length;
    while (!this.#isClosed()) {
      const changed = this.#changed.promise;
      if (this.#readTo === this.#writtenTo) await this.#emptyFile();
      const isFileEmpty = this.#writtenTo === 0;
      if (isFileEmpty && this.#memoryBytes + piece.length <= MEMORY_BYTES) return this.#keep(piece);
      if (await this.#write(piece)) return true;
      // The client has read all previous pieces.
      if (isFileEmpty && this.#memoryBytes === 0) return this.#keep(piece);
      if (this.#isFull) await changed;
      this.#isFull = true;
      this.#change();
    }
    return false;
  }

  #keep(piece: Uint8Array): true {
    this.#inMemory.push(piece);
    this.#memoryBytes += piece.length;
    this.#change();
    return true;
  }

  /** Returns false where the piece cannot be written to the file. */
  async #write(piece: Uint8Array): Promise<boolean> {
    const { space, caller, logger } = this.#options;
    if (!this.#isFileUsable || !space.take(caller, piece.length)) return false;
    this.#takenBytes += piece.length;
    try {
      this.#file ??= await openNameless();
      for (let at = 0; at < piece.length; )
        at += (await this.#file.write(piece, at, piece.length - at, this.#writtenTo + at)).bytesWritten;
      this.#writtenTo += piece.length;
      this.#change();
      return true;
    } catch (err) {
      // The disk is full: the piece waits for the client, as without a file.
      this.#isFileUsable = false;
      if (!this.#isClosed())
        logger.warn({ err, folder: tmpdir() }, 'The unread part of a document cannot be written to a file');
      return false;
    } finally {
      // The spool was closed during the write: `close` has not closed a file that was opened here.
      if (this.#isClosed()) {
        this.#release();
        await this.#file?.close();
      }
    }
  }

  async #readFile(): Promise<Uint8Array> {
    const length = Math.min(READ_BYTES, this.#writtenTo - this.#readTo);
    const buffer = Buffer.allocUnsafeSlow(length);
    const { bytesRead } = await (this.#file as FileHandle).read(buffer, 0, length, this.#readTo);
    if (bytesRead === 0) throw new Error('A temporary file of a document is shorter than what was written');
    this.#readTo += bytesRead;
    this.#change();
    return buffer.subarray(0, bytesRead);
  }

  /** Called only by the writer, after the whole file was read. */
  async #emptyFile(): Promise<void> {
    if (this.#writtenTo === 0) return;
    this.#readTo = 0;
    this.#writtenTo = 0;
    await this.#file?.truncate(0);
    this.#release();
  }

  #release(): void {
    this.#options.space.release(this.#options.caller, this.#takenBytes);
    this.#takenBytes = 0;
  }

  #isDue(): boolean {
    return this.#isFull || (this.#addedBytes > HELD_BYTES && this.#options.isBegun());
  }

  #isClosed(): boolean {
    return this.#state === 'closed';
  }

  #end(state: 'ended' | 'failed' | 'closed'): void {
    if (this.#state !== 'closed') this.#state = state;
    this.#change();
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

/** Opens a file and removes its name, so that it is deleted when the process ends, also abnormally. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `lintel-report-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  return file;
}
