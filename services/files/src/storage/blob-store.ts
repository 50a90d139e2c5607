import type { Readable } from 'node:stream';

/** What is kept beside the bytes. */
export interface BlobDescription {
  /** The original file name. */
  readonly name: string;
  readonly contentType: string;
  /** The service of ours that the file belongs to; undefined for what users upload. */
  readonly storedBy: string | undefined;
}

export interface StoredBlob {
  /** Bytes stored. */
  readonly size: number;
  /** SHA-256 of the bytes, hex. */
  readonly sha256: string;
}

export interface BlobInfo {
  readonly size: number;
  readonly lastModified: Date;
  /** Equal tags mean equal bytes; without quotes. */
  readonly tag: string;
  /** Absent for bytes that something else put there. */
  readonly sha256: string | undefined;
  readonly name: string | undefined;
  readonly contentType: string | undefined;
  readonly storedBy: string | undefined;
}

/** First and last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Keeps files as bytes under keys. A key that could leave the storage (`..`, hidden folders, control
 * characters) is never found and never written.
 *
 * Every method throws `FILE_STORAGE_UNAVAILABLE` when the storage fails.
 */
export interface BlobStore {
  /**
   * Stores all of `content` under `key`, or nothing at all: a blob becomes visible with its last byte. An
   * error of `content` itself is thrown as it is.
   */
  write(key: string, content: Readable, description: BlobDescription): Promise<StoredBlob>;
  /** Undefined when there is no such blob. */
  find(key: string): Promise<BlobInfo | undefined>;
  /** The bytes; rejects with `FILE_NOT_FOUND` when the blob is gone. A later failure is the stream's error. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Does nothing when there is no such blob. */
  remove(key: string): Promise<void>;
  /**
   * Drops what uploads left that ended with their process: those that have not gone on since `before`, or, in
   * S3, were begun before it. Nothing of it was ever visible.
   *
   * @returns how many uploads
   */
  removeAbandoned(before: Date): Promise<number>;
  /** Whether the storage answers now. */
  isReady(): Promise<boolean>;
  /** Rejects with why it is not ready. */
  assertReady(): Promise<void>;
  close(): Promise<void>;
}

/** Whether a key names something inside a storage: no empty, hidden or relative part, no odd characters. */
export function isStorageKey(key: string): boolean {
  if (key.length > 900 || /[\p{C}\\]/u.test(key)) return false;
  return key.split('/').every((part) => part !== '' && !part.startsWith('.') && part.length <= 250);
}
