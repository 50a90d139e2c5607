import type { FileListing, ListedFile, Principal } from '@lintel/contracts';

/** The storages of the files service. All methods throw `FILE_STORAGE_UNAVAILABLE` if it cannot be asked. */
export interface StoredFiles {
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
