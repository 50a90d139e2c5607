import type { ByteRange } from '../storage/blob-store.ts';

/** Several ranges of one file as `multipart/byteranges` (RFC 9110 §14.6). */
export interface MultipartRanges {
  readonly contentType: string;
  readonly contentLength: number;
  readonly parts: readonly { readonly head: string; readonly range: ByteRange }[];
  /** The text after the last part. */
  readonly tail: string;
}

/** @param boundary random, so that it practically never occurs in a file */
export function multipartRanges(
  ranges: readonly ByteRange[],
  file: { readonly sizeBytes: number; readonly contentType: string },
  boundary: string,
): MultipartRanges {
  const parts = ranges.map((range, index) => ({
    range,
    head: `${index === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Type: ${file.contentType}\r\nContent-Range: ${contentRange(range, file.sizeBytes)}\r\n\r\n`,
  }));
  const tail = `\r\n--${boundary}--\r\n`;
  return {
    contentType: `multipart/byteranges; boundary=${boundary}`,
    contentLength: parts.reduce((sum, { head, range }) => sum + head.length + lengthOf(range), tail.length),
    parts,
    tail,
  };
}

export const lengthOf = ({ start, end }: ByteRange): number => end - start + 1;

/** Value of `Content-Range`. */
export const contentRange = ({ start, end }: ByteRange, sizeBytes: number): string =>
  `bytes ${start}-${end}/${sizeBytes}`;
