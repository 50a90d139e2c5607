import { isPlatformError, PlatformError } from '@lintel/errors';

/** A failure of a storage as the API says it; the cause is for the log only. */
export const storageFailure = (cause: unknown): PlatformError =>
  isPlatformError(cause)
    ? (cause as PlatformError)
    : new PlatformError('FILE_STORAGE_UNAVAILABLE', 'The file storage cannot be reached', { cause });

/** A key that no storage accepts. */
export const invalidKey = (): PlatformError => new PlatformError('FILE_INVALID_REFERENCE', 'Invalid path');
