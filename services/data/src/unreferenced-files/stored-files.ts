import type { FileListing, ListedFile, Principal, StoredFile } from '@lintel/contracts';

export interface NewFile {
  readonly name: string;
  readonly contentType: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The storages of the files service. All methods throw `FILE_STORAGE_UNAVAILABLE` if it cannot be asked. */
export interface StoredFiles {
  /**
   * Stores a file as an upload of a user: with its last byte, or not at all.
   *
   * @throws FILE_TOO_LARGE, and the error of the content
   */
  store(file: NewFile, uploader: Principal, signal: AbortSignal): Promise<StoredFile>;
  /** Files after a position, in an order that does not change. */
  list(after: string | undefined, limit: number): Promise<FileListing>;
  /** The files that exist, with names, and whether they are of a reader. */
  describe(fileRefs: readonly string[], reader?: Principal): Promise<readonly ListedFile[]>;
  /**
   * The bytes of a file, or some of them; undefined without such a file.
   *
   * @throws FILE_TOO_LARGE above 20 MiB
   */
  read(fileRef: string, part?: { readonly from: number; readonly bytes: number }): Promise<Uint8Array | undefined>;
  /** Removes a file that a user has uploaded; does nothing if there is none. */
  remove(fileRef: string): Promise<void>;
}
