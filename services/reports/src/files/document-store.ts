import type { RunToken } from '../datasets/dataset-client.ts';

/** A document that is being rendered. */
export interface StreamedDocument {
  readonly name: string;
  readonly contentType: string;
  readonly content: AsyncIterable<Uint8Array | string>;
  /** Whether it is stored as an upload of the caller, which is removed where nothing refers to it. */
  readonly isUpload?: boolean;
}

/** The document of a run, stored as a file. */
export interface StoredDocument {
  readonly fileRef: string;
  readonly name: string;
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
}

/** Stores the documents of runs in the files service. */
export interface DocumentStore {
  /**
   * Stores a document while it is rendered, in the name of the caller of the run.
   *
   * @throws the error of `content`, and then stores nothing; FILE_STORAGE_UNAVAILABLE, FILE_TOO_LARGE,
   *   AUTH_INVALID_TOKEN
   */
  store(document: StreamedDocument, token: RunToken, signal: AbortSignal): Promise<StoredDocument>;
  /** Removes a document that no client knows, with `isUpload` as it was stored. */
  remove(fileRef: string, isUpload?: boolean): Promise<void>;
}
