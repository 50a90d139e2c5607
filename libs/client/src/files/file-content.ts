import type { BlobLike } from '../platform.ts';

/** What can be uploaded; a stream needs no memory, but cannot be sent again after a failure. */
export type FileContent = string | ArrayBuffer | Uint8Array | BlobLike | AsyncIterable<Uint8Array>;

/** What of a file was transferred. */
export interface Progress {
  /** Bytes that were transferred. */
  readonly loaded: number;
  /** Undefined if the length is unknown. */
  readonly total: number | undefined;
}

/** The number of bytes, if it is known. */
export function sizeOf(content: FileContent): number | undefined {
  if (typeof content === 'string') return new TextEncoder().encode(content).byteLength;
  if ('byteLength' in content) return content.byteLength;
  return 'size' in content ? content.size : undefined;
}

/** Whether the content is a stream, which can be read once. */
export const isStream = (content: FileContent): content is AsyncIterable<Uint8Array> =>
  typeof content === 'object' && Symbol.asyncIterator in content;
