import { isPlatformError } from '@lintel/errors';
import { failureReason } from '@lintel/persistence';

/** Why the database of a command cannot be reached: what the driver or the system says. Undefined for other errors. */
export function unreachableReasonOf(error: unknown): string | undefined {
  if (!isPlatformError(error) || error.code !== 'DATA_UNAVAILABLE') return undefined;
  return error.cause instanceof Error ? failureReason(error.cause) : error.message;
}
