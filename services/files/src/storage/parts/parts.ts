import type { Readable } from 'node:stream';
import type { PartBuffers } from './part-buffers.ts';

export interface Part {
  /** Valid until the next part is requested. */
  readonly bytes: Buffer;
  readonly last: boolean;
}

/** A part needs no buffer up to this size: small files never wait for one, and slow ones do not occupy one early. */
const UNBUFFERED_BYTES = 64 * 1024;

/**
 * Splits a stream into parts of exactly the size of the buffers; the last one may be shorter, and is empty only where
 * there are no bytes at all. A part uses its buffer until the next one is requested, so that many streams share few
 * buffers; the stream is not read while it waits for one.
 *
 * @param onNone creates the error where no buffer became free in time
 */
export async function* partsOf(content: Readable, buffers: PartBuffers, onNone: () => Error): AsyncGenerator<Part> {
  const first: Buffer[] = [];
  let buffer: Buffer | undefined;
  let filled = 0;
  const giveBack = (isReusable: boolean): void => {
    if (buffer !== undefined) buffers.release(buffer, isReusable);
    buffer = undefined;
  };
  try {
    for await (const chunk of content) {
      let rest = chunk as Buffer;
      while (rest.length > 0) {
        if (filled === buffers.sizeBytes && buffer !== undefined) {
          yield { bytes: buffer, last: false };
          giveBack(true);
          filled = 0;
        }
        if (buffer === undefined && filled + rest.length > Math.min(UNBUFFERED_BYTES, buffers.sizeBytes)) {
          buffer = await buffers.acquire(content);
          if (buffer === undefined) throw onNone();
          Buffer.concat(first.splice(0)).copy(buffer);
        }
        if (buffer === undefined) {
          first.push(rest);
          filled += rest.length;
          break;
        }
        const taken = rest.copy(buffer, filled);
        filled += taken;
        rest = rest.subarray(taken);
      }
    }
    yield { bytes: buffer?.subarray(0, filled) ?? Buffer.concat(first), last: true };
    giveBack(true);
  } finally {
    giveBack(false);
  }
}
