import { isPlatformError } from '@lintel/errors';

/**
 * Why the database of a command cannot be reached: what the driver or the system says. Undefined for other errors.
 * Several refused addresses of one name have no message together, so the first one is returned.
 */
export function unreachableReasonOf(error: unknown): string | undefined {
  if (!isPlatformError(error) || error.code !== 'DATA_UNAVAILABLE') return undefined;
  const { message, cause } = error;
  if (!(cause instanceof Error)) return message;
  const [first] = cause instanceof AggregateError ? cause.errors : [];
  return cause.message || (first instanceof Error ? first.message : message);
}
