/**
 * Something that whoever starts the program has written or provided is wrong. The message says all there is to
 * know: what, where, and what to do about it; a stack trace would only hide it.
 */
export class StartError extends Error {
  readonly isStartError = true;
}

/** Whether `value` is a `StartError`, also one made by another copy of this package. */
export const isStartError = (value: unknown): value is StartError =>
  value instanceof Error && 'isStartError' in value && value.isStartError === true;
