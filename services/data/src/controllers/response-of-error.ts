import { type ControllerResponse, type ErrorHandler, isApplicationError } from '@lintel/application';
import { isPlatformError, PlatformError, validationError } from '@lintel/errors';

/** Message template of the item for a `ValidationError` of the application (contract/writing.md#validation). */
const CUSTOM_VALIDATION = '{io.jmix.core.validation.CustomValidationException}';

/**
 * The response of the application to an error of its code: that of the first error handler with a response, or that
 * of the error itself.
 *
 * @param localize translates message keys in a text to the language of the caller
 * @returns undefined for errors of the platform and for bugs
 * @throws PlatformError for errors of the application that correspond to an error of the platform
 */
export function responseOfError(
  error: unknown,
  handlers: readonly ErrorHandler[],
  localize: (text: string) => string,
): ControllerResponse | undefined {
  for (const handle of handlers) {
    const response = handle(error);
    if (response !== undefined) return response;
  }
  if (!isApplicationError(error)) return undefined;
  switch (error.name) {
    case 'RestError':
      return { status: error.status, body: { error: error.error, details: error.details } };
    case 'ValidationError':
      throw validationError([
        { message: localize(error.message), messageTemplate: CUSTOM_VALIDATION, path: '', invalidValue: null },
      ]);
    case 'AccessDeniedError':
      throw new PlatformError('ACCESS_DENIED', error.message, { cause: error });
    default:
      return error satisfies never;
  }
}

/**
 * An error that the code of a service method or a controller throws, and that is no response: an error of the server,
 * also if it has the status of another one, as the errors of HTTP clients do.
 */
export const errorOfCode = (error: unknown): PlatformError =>
  isPlatformError(error) ? error : new PlatformError('INTERNAL_ERROR', '', { cause: error });
