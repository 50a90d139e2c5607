import { ReportFailure } from '@lintel/documents';
import { isPlatformError } from '@lintel/errors';

/**
 * Calls a function of a definition.
 *
 * @param what names the function in the error
 * @throws ReportFailure where it fails; its error is only logged
 */
export async function callDefinition<T>(what: string, call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (isPlatformError(cause)) throw cause;
    throw new ReportFailure(`An error occurred in ${what}.`, { cause });
  }
}
