import { PlatformError } from '@lintel/errors';

/** An upload may have this many parts that are small on average: each request lists them. */
const MAX_SMALL_PARTS = 10_000;
const SMALL_BYTES = 1024 * 1024;

/** @throws FILE_INVALID_UPLOAD for an upload of too many small parts */
export function assertFewParts(count: number, sizeBytes: number): void {
  if (count >= MAX_SMALL_PARTS && sizeBytes < count * SMALL_BYTES)
    throw new PlatformError(
      'FILE_INVALID_UPLOAD',
      `The upload has ${count} parts, most of them small; begin again with larger ones`,
    );
}
