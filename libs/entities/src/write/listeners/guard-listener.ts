import type { EntityListener } from '@lintel/application';
import { type ErrorCode, isPlatformError, PlatformError } from '@lintel/errors';

/**
 * Refusals of what a listener reads and writes that depend on the data, and so on the request: the client gets them.
 * Others say that the code of the listener is wrong, such as a filter by an unknown attribute.
 */
const OF_THE_DATA: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'DATA_VALIDATION_FAILED',
  'DATA_ALREADY_EXISTS',
  'DATA_UNIQUE_VIOLATION',
  'DATA_REFERENCE_VIOLATION',
  'DATA_DELETE_POLICY',
  'DATA_OPTIMISTIC_LOCK',
  'DATA_RESULT_TOO_LARGE',
]);

/**
 * The listener of an application, whose mistakes are errors of the server: the client gets a 500, and the log has the
 * error of the listener. `RestError`, `ValidationError` and `AccessDeniedError` are responses to the client.
 */
export function guardListener(listener: EntityListener): EntityListener {
  const { beforeSave, afterSave, beforeDelete } = listener;
  return {
    ...listener,
    ...(beforeSave && { beforeSave: (change, context) => guard(async () => listener.beforeSave?.(change, context)) }),
    ...(afterSave && { afterSave: (change, context) => guard(async () => listener.afterSave?.(change, context)) }),
    ...(beforeDelete && {
      beforeDelete: (change, context) => guard(async () => listener.beforeDelete?.(change, context)),
    }),
  };
}

async function guard<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw looksLikeRefusal(error) ? new PlatformError('INTERNAL_ERROR', '', { cause: error }) : error;
  }
}

/** Whether the client would get the error as a mistake of its own. */
function looksLikeRefusal(error: unknown): boolean {
  if (isPlatformError(error))
    return error.status < 500 && !error.code.startsWith('ACCESS_') && !OF_THE_DATA.has(error.code);
  // Errors of HTTP clients have the status of another server.
  return error instanceof URIError || (error instanceof Error && error.name !== 'RestError' && 'status' in error);
}
