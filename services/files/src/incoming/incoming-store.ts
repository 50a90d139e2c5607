import type { Readable } from 'node:stream';

/** Bytes of an unfinished upload, stored by one request. */
export interface StoredPart {
  /** Position of the first byte in the file. */
  readonly offset: number;
  readonly size: number;
}

/** A text of an upload: `upload` describes it, `result` is the reference of its file. */
export type RecordName = 'upload' | 'result';

/**
 * Stores uploads that several requests send, until they are complete. All replicas of the service share it; nothing that
 * it has stored is changed, so that concurrent requests cannot overwrite each other.
 *
 * All methods throw `FILE_STORAGE_UNAVAILABLE` if the storage fails.
 */
export interface IncomingStore {
  /** Stores a text, unless there is one of this name. Returns whether it is stored now. */
  createRecord(id: string, name: RecordName, text: string): Promise<boolean>;
  readRecord(id: string, name: RecordName): Promise<string | undefined>;
  /** The parts from the first byte on, in order and without gaps. */
  parts(id: string): Promise<readonly StoredPart[]>;
  /**
   * Stores bytes as one or more parts; what has been read when `content` ends is stored. If `content` fails, the parts
   * that are complete by then remain.
   *
   * @returns the position after the last stored byte
   * @throws FILE_UPLOAD_OFFSET if another request has stored a part at this position
   */
  append(id: string, offset: number, content: Readable): Promise<number>;
  read(id: string, part: StoredPart): Promise<Readable>;
  removeParts(id: string): Promise<void>;
  removeRecord(id: string, name: RecordName): Promise<void>;
  /** Removes the parts and records. */
  remove(id: string): Promise<void>;
  /** Ids that begin with the prefix, or all, of what has a part or a record. */
  ids(prefix?: string): Promise<readonly string[]>;
}

/** Maximum size of a part where the storage does not limit it: what a killed process can lose of a request. */
export const PART_BYTES = 8 * 1024 * 1024;

/** Those of the parts that follow each other from the first byte on. */
export function withoutGaps(parts: readonly StoredPart[]): readonly StoredPart[] {
  const found: StoredPart[] = [];
  let end = 0;
  for (const part of parts.toSorted((one, other) => one.offset - other.offset)) {
    if (part.offset !== end) continue;
    found.push(part);
    end += part.size;
  }
  return found;
}
