import type { RunResult } from './background-run.ts';

/** Where documents of runs are kept: the files service. */
export interface DocumentStore {
  /**
   * Stores a document while it is made.
   *
   * @throws what `content` throws, and then keeps nothing; FILE_STORAGE_UNAVAILABLE
   */
  store(
    document: { readonly name: string; readonly contentType: string; readonly content: AsyncIterable<Uint8Array> },
    signal: AbortSignal,
  ): Promise<RunResult>;
  /** Removes a document that nobody was told of. */
  remove(fileRef: string): Promise<void>;
}
