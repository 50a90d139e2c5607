import { PlatformError } from '@lintel/errors';

/** A mistake in a file that is imported (contract/imports.md#files). */
export const tableError = (details: string, cause?: unknown): PlatformError =>
  new PlatformError('REQ_CANNOT_DESERIALIZE', details, { error: 'Cannot read the file', cause });
