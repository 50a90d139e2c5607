import { PlatformError } from '@lintel/errors';
import type { WriteAction } from '../scope/write-scope.ts';

/** 400 for a reference to an instance that does not exist (contract/errors.md#17). */
export const missingReference = (action: WriteAction, path: string): PlatformError =>
  new PlatformError(
    action === 'create' ? 'DATA_CREATE_FAILED' : 'DATA_UPDATE_FAILED',
    `Referenced entity for property '${path}' is missing`,
  );
