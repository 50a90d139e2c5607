import type { Readable } from 'node:stream';
import type { IncomingStore } from '../incoming/incoming-store.ts';

/** Metadata of a blob. */
export interface BlobDescription {
  /** The original file name. */
  readonly name: string;
  readonly contentType: string;
  /** The service that stored the file; undefined for uploads of users. */
  readonly storedBy: string | undefined;
  /** The user who uploaded the file, or for whom a service has stored it (`uploaderOf`). */
  readonly uploadedBy?: string | undefined;
}

export interface StoredBlob {
  /** Number of stored bytes. */
  readonly size: number;
  /** SHA-256 of the bytes, hex. */
  readonly sha256: string;
}

export interface BlobInfo {
  readonly size: number;
  readonly lastModified: Date;
  /** Entity tag without quotes: equal tags mean equal bytes. */
  readonly tag: string;
  /** Undefined for blobs that other programs have stored. */
  readonly sha256: string | undefined;
  readonly name: string | undefined;
  readonly contentType: string | undefined;
  readonly storedBy: string | undefined;
  readonly uploadedBy?: string | undefined;
}

/** A blob of a list. */
export interface ListedBlob {
  readonly key: string;
  readonly size: number;
  readonly lastModified: Date;
}

/** First and last byte, both inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Stores files as bytes under keys. A key that could leave the storage (`..`, hidden folders, control
 * characters) is never found and never written.
 *
 * All methods throw `FILE_STORAGE_UNAVAILABLE` if the storage fails.
 */
export interface BlobStore {
  /** Uploads that several requests send. */
  readonly incoming: IncomingStore;
  /**
   * Stores `content` under `key` completely or not at all: a blob becomes visible with its last byte. An error of
   * `content` itself is rethrown unchanged.
   */
  write(key: string, content: Readable, description: BlobDescription): Promise<StoredBlob>;
  /** Undefined when there is no such blob. */
  find(key: string): Promise<BlobInfo | undefined>;
  /**
   * The bytes; rejects with `FILE_NOT_FOUND` where there is no such blob. A later failure is an error of the stream.
   */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Blobs with keys after `after`, or the first ones, in an order that does not change; at most `limit`. */
  list(after: string | undefined, limit: number): Promise<readonly ListedBlob[]>;
  /** Does nothing when there is no such blob. */
  remove(key: string): Promise<void>;
  /**
   * Removes unfinished uploads of processes that have ended: those without progress since `before` or, in S3, started
   * before it. They were never visible.
   *
   * @returns number of removed uploads
   */
  removeAbandoned(before: Date): Promise<number>;
  /** Rejects with the reason if the storage does not respond now. */
  assertReady(): Promise<void>;
  close(): Promise<void>;
}

/** Whether a key is valid: no empty, hidden or relative part, no control characters. */
export function isStorageKey(key: string): boolean {
  if (key.length > 900 || /[\p{C}\\]/u.test(key)) return false;
  return key.split('/').every((part) => part !== '' && !part.startsWith('.') && part.length <= 250);
}
