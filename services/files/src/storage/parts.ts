import type { Readable } from 'node:stream';

export interface Part {
  /** Valid until the next part is asked for. */
  readonly bytes: Buffer;
  readonly last: boolean;
}

/**
 * Cuts a stream into parts of exactly the size of `buffer`; the last may be shorter, and is empty only when
 * there are no bytes at all. Every part is put into the one buffer, so that a file of any length leaves no
 * garbage but the stream's own.
 */
export async function* partsOf(content: Readable, buffer: Buffer): AsyncGenerator<Part> {
  let filled = 0;
  for await (const chunk of content) {
    let rest = chunk as Buffer;
    while (rest.length > 0) {
      if (filled === buffer.length) {
        yield { bytes: buffer, last: false };
        filled = 0;
      }
      const taken = rest.copy(buffer, filled);
      filled += taken;
      rest = rest.subarray(taken);
    }
  }
  yield { bytes: buffer.subarray(0, filled), last: true };
}
