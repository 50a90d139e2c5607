import { Transform, type TransformCallback } from 'node:stream';
import { PlatformError } from '@lintel/errors';

export const tooLarge = (limitBytes: number): PlatformError =>
  new PlatformError('FILE_TOO_LARGE', `The file is larger than the ${limitBytes} bytes allowed`);

export interface IncomingContentOptions {
  readonly limitBytes: number;
  /** Rejects if the upload is invalid although its content is complete; called once, after the last byte. */
  readonly approve: () => Promise<void>;
  /** Called for each chunk. */
  readonly passed: (bytes: number) => void;
}

/**
 * The content of an upload between the request and the storage. Fails with `FILE_TOO_LARGE` at the first byte above the
 * limit, and delays the last chunk until the whole upload is approved, so that no storage completes a refused file.
 */
export class IncomingContent extends Transform {
  readonly #options: IncomingContentOptions;
  #passedBytes = 0;
  #held: Buffer | undefined;

  constructor(options: IncomingContentOptions) {
    super();
    this.#options = options;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    const { limitBytes, passed } = this.#options;
    this.#passedBytes += chunk.length;
    passed(chunk.length);
    if (this.#passedBytes > limitBytes) {
      callback(tooLarge(limitBytes));
      return;
    }
    const before = this.#held;
    this.#held = chunk;
    callback(null, before);
  }

  override _flush(callback: TransformCallback): void {
    this.#options.approve().then(
      () => callback(null, this.#held),
      (error: Error) => callback(error),
    );
  }
}
