import { PlatformError } from '@lintel/errors';

/** Errors of a server that is starting, failing over or full: the same command may succeed later. */
const PASSING = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|OOM|MISCONF|NOREPLICAS|UNBLOCKED)\b/;

/**
 * A failed command as a platform error: `DATA_UNAVAILABLE` (503) if Redis could not be reached or cannot
 * serve now, `INTERNAL_ERROR` if it refused the command.
 */
export function translateRedisError(error: unknown): PlatformError {
  const refused = error instanceof Error && error.name === 'ReplyError' && !PASSING.test(error.message);
  return refused
    ? new PlatformError('INTERNAL_ERROR', '', { cause: error })
    : new PlatformError('DATA_UNAVAILABLE', 'The session store does not respond', { cause: error });
}
