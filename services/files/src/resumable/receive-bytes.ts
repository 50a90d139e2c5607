import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { PlatformError } from '@lintel/errors';
import { offsetTaken } from '../incoming/incoming-errors.ts';
import { interrupted } from '../uploads/receive-raw.ts';
import type { ResumableUpload } from './resumable-upload.ts';

/**
 * Appends the body of a request to an upload. If the client disconnects, what arrived before is stored.
 *
 * @param offset where the client thinks that the upload continues
 * @param passed called for each chunk
 * @returns the new offset
 * @throws FILE_UPLOAD_OFFSET for another offset, FILE_TOO_LARGE for a body that is longer than what is missing
 */
export async function receiveBytes(
  request: IncomingMessage,
  upload: ResumableUpload,
  offset: number,
  passed: (bytes: number) => void,
): Promise<number> {
  const { key, storage, parts, length } = upload;
  if (offset !== upload.offset) throw offsetTaken(upload.offset);
  const missing = length - offset;
  if (Number(request.headers['content-length'] ?? 0) > missing) throw tooLong(missing);
  assertFewParts(parts.length, offset);
  let isInterrupted = false;
  async function* received(): AsyncGenerator<Buffer> {
    let rest = missing;
    try {
      // A destroyed request could not be responded to.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        rest -= chunk.length;
        passed(chunk.length);
        if (rest < 0) throw tooLong(missing);
        yield chunk;
      }
    } catch (error) {
      if (request.complete || rest < 0) throw error;
      // What has arrived is stored.
      isInterrupted = true;
    }
  }
  const end = await storage.store.incoming.append(key, offset, Readable.from(received(), { objectMode: false }));
  if (isInterrupted) throw interrupted();
  return end;
}

const tooLong = (missing: number): PlatformError =>
  new PlatformError('FILE_TOO_LARGE', `The body is longer than the ${missing} bytes that the upload still needs`);

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
