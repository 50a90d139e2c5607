import { createHash, type Hash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import type { StoredBlob } from '../blob-store.ts';

/** Counts and hashes the bytes that pass through it. */
export class DigestMeter extends Transform {
  #size = 0;
  readonly #hash: Hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#size += chunk.length;
    this.#hash.update(chunk);
    callback(null, chunk);
  }

  /** Size and hash of the bytes. To be called once, after the end. */
  result(): StoredBlob {
    return { size: this.#size, sha256: this.#hash.digest('hex') };
  }
}
