import { PlatformError } from '@lintel/errors';

/** The error for an upload that does not exist, has expired or has ended, or is of another user. */
export const uploadGone = (): PlatformError =>
  new PlatformError('FILE_UPLOAD_NOT_FOUND', 'There is no such upload, or it has expired');

/**
 * The error for a part at another position than the next one.
 *
 * @param offset the next position, if it is known
 */
export const offsetTaken = (offset?: number): PlatformError =>
  offset === undefined
    ? new PlatformError('FILE_UPLOAD_OFFSET', 'Another request has continued the upload; ask for its offset')
    : new PlatformError('FILE_UPLOAD_OFFSET', `The upload continues at ${offset} (header Upload-Offset)`, {
        headers: { 'Upload-Offset': String(offset) },
      });
