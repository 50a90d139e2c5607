import { type ControllerResponse, type ErrorHandler, isApplicationError } from '@lintel/application';
import { PlatformError, validationError } from '@lintel/errors';

/**
 * Template of the one item that an error of the application's own validation makes (contract/writing.md#validation).
 */
const CUSTOM_VALIDATION = '{io.jmix.core.validation.CustomValidationException}';

/**
 * The answer that the application gives to an error of its code: by one of its handlers, or by the error's
 * own status.
 *
 * @param localize puts a text that refers to messages into the caller's language
 * @returns nothing for errors of the platform and for bugs
 * @throws PlatformError for errors that stand for one of the platform
 */
export function answerOfError(
  error: unknown,
  handlers: readonly ErrorHandler[],
  localize: (text: string) => string,
): ControllerResponse | undefined {
  for (const handle of handlers) {
    const answer = handle(error);
    if (answer !== undefined) return answer;
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
