import type { RunToken } from '../datasets/dataset-client.ts';
import type { RunResult } from './background-run.ts';

/** A document that is being made. */
export interface StreamedDocument {
  readonly name: string;
  readonly contentType: string;
  readonly content: AsyncIterable<Uint8Array | string>;
}

/** Where documents of runs are kept: the files service. */
export interface DocumentStore {
  /**
   * Stores a document while it is made, in the name of the caller whose run it is.
   *
   * @throws what `content` throws, and then keeps nothing; FILE_STORAGE_UNAVAILABLE, FILE_TOO_LARGE,
   *   AUTH_INVALID_TOKEN
   */
  store(document: StreamedDocument, token: RunToken, signal: AbortSignal): Promise<RunResult>;
  /** Removes a document that nobody was told of. */
  remove(fileRef: string): Promise<void>;
}
