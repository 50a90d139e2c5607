import { isPlatformError, PlatformError } from '@lintel/errors';
import { errorCodeOf } from './error-code.ts';

/** Of file systems: no space, no space for this user; of MinIO and Ceph. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'XMinioStorageFull', 'QuotaExceeded']);
/** Of file systems and S3. */
const TOO_LARGE = new Set(['EFBIG', 'EntityTooLarge']);

/** A failure of a storage as the API says it; the cause is for the log only. */
export function storageFailure(cause: unknown): PlatformError {
  if (isPlatformError(cause)) return cause as PlatformError;
  const code = errorCodeOf(cause);
  if (FULL.has(code))
    return new PlatformError('FILE_STORAGE_FULL', 'The file storage has no space for the file', { cause });
  if (TOO_LARGE.has(code)) return fileTooLarge(cause);
  return new PlatformError('FILE_STORAGE_UNAVAILABLE', 'The file storage cannot be reached', { cause });
}

/** A file that is larger than its storage can keep. */
export const fileTooLarge = (cause?: unknown): PlatformError =>
  new PlatformError('FILE_TOO_LARGE', 'The file is too large to be stored', { cause });

/** A key that no storage accepts. */
export const invalidKey = (): PlatformError => new PlatformError('FILE_INVALID_REFERENCE', 'Invalid path');
