import { createHash, type Hash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import type { StoredBlob } from './blob-store.ts';

/** Passes bytes on, counting and hashing them. */
export class DigestMeter extends Transform {
  #size = 0;
  readonly #hash: Hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#size += chunk.length;
    this.#hash.update(chunk);
    callback(null, chunk);
  }

  /** What went through. To be asked once, after the end. */
  result(): StoredBlob {
    return { size: this.#size, sha256: this.#hash.digest('hex') };
  }
}
