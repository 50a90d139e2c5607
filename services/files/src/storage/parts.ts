import type { Readable } from 'node:stream';

export interface Part {
  readonly bytes: Buffer;
  readonly last: boolean;
}

/**
 * Cuts a stream into parts of exactly `sizeBytes`; the last may be shorter, and is empty only when there are
 * no bytes at all. Holds two parts at most.
 */
export async function* partsOf(content: Readable, sizeBytes: number): AsyncGenerator<Part> {
  let chunks: Buffer[] = [];
  let gathered = 0;
  let ready: Buffer | undefined;
  for await (const chunk of content) {
    let rest = chunk as Buffer;
    while (rest.length > 0) {
      if (ready !== undefined) {
        yield { bytes: ready, last: false };
        ready = undefined;
      }
      const taken = rest.subarray(0, sizeBytes - gathered);
      chunks.push(taken);
      gathered += taken.length;
      rest = rest.subarray(taken.length);
      if (gathered === sizeBytes) {
        ready = Buffer.concat(chunks);
        chunks = [];
        gathered = 0;
      }
    }
  }
  yield { bytes: ready ?? Buffer.concat(chunks), last: true };
}
