import { Transform, type TransformCallback } from 'node:stream';
import { PlatformError } from '@lintel/errors';

export const tooLarge = (limitBytes: number): PlatformError =>
  new PlatformError('FILE_TOO_LARGE', `The file is larger than the ${limitBytes} bytes allowed`);

/** Passes bytes on and breaks with `FILE_TOO_LARGE` at the first one above the limit. */
export class ByteLimit extends Transform {
  readonly #limitBytes: number;
  #passedBytes = 0;

  constructor(limitBytes: number) {
    super();
    this.#limitBytes = limitBytes;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#passedBytes += chunk.length;
    if (this.#passedBytes > this.#limitBytes) callback(tooLarge(this.#limitBytes));
    else callback(null, chunk);
  }
}
