/**
 * An error in the configuration or the files that the operator provides. The message says what is wrong, where, and
 * what to do about it; a stack trace would only hide it.
 */
export class StartError extends Error {
  readonly isStartError = true;
}

/** Whether `value` is a `StartError`, also one made by another copy of this package. */
export const isStartError = (value: unknown): value is StartError =>
  value instanceof Error && 'isStartError' in value && value.isStartError === true;
