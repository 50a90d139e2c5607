import { isPlatformError } from '@lintel/errors';
import { ReportFailure } from '../report-failure.ts';

/**
 * Calls a function of a definition.
 *
 * @param what the function is, for the error
 * @throws ReportFailure where it fails; what it says goes to the log alone
 */
export async function callDefinition<T>(what: string, call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (isPlatformError(cause)) throw cause;
    throw new ReportFailure(`An error occurred in ${what}.`, { cause });
  }
}
