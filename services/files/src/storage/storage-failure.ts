import { errorCodeOf, isPlatformError, PlatformError } from '@lintel/errors';

/** Codes of file systems (no space, quota), of MinIO and of Ceph. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'XMinioStorageFull', 'QuotaExceeded']);
/** Codes of file systems and of S3. */
const TOO_LARGE = new Set(['EFBIG', 'EntityTooLarge']);

/** The API error for a failure of a storage; the cause is for the log only. */
export function storageFailure(cause: unknown): PlatformError {
  if (isPlatformError(cause)) return cause as PlatformError;
  const code = errorCodeOf(cause);
  if (FULL.has(code))
    return new PlatformError('FILE_STORAGE_FULL', 'The file storage has no space for the file', { cause });
  if (TOO_LARGE.has(code)) return fileTooLarge(cause);
  return new PlatformError('FILE_STORAGE_UNAVAILABLE', 'The file storage cannot be reached', { cause });
}

/**
 * Creates a function that makes a call of a storage, and returns the value of `missing` if there is no such object. Other
 * errors are those of `storageFailure`.
 */
export const callsOf =
  (isMissing: (error: unknown) => boolean) =>
  async <T>(call: () => Promise<T>, missing: () => T): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      if (isMissing(error)) return missing();
      throw storageFailure(error);
    }
  };

/** For reads of a file that does not exist. */
export const notFound = (): never => {
  throw new PlatformError('FILE_NOT_FOUND');
};

/** The error for a file that is larger than its storage supports. */
export const fileTooLarge = (cause?: unknown): PlatformError =>
  new PlatformError('FILE_TOO_LARGE', 'The file is too large to be stored', { cause });

/** The error for a key that no storage accepts. */
export const invalidKey = (): PlatformError => new PlatformError('FILE_INVALID_REFERENCE', 'Invalid path');
