/**
 * An error response of the application: thrown by a service method, a controller or a listener, it becomes
 * `{"error", "details"}` with its status. Any other error is a bug and becomes a 500.
 */
export class RestError extends Error {
  declare readonly name: 'RestError';
  /** HTTP status of the response, 400 to 599. */
  readonly status: number;
  /** Short text: the member `error` of the response. */
  readonly error: string;
  /** Explanation for the client: the member `details`; empty if there is none. */
  readonly details: string;

  /**
   * @param status 400 to 599
   * @throws RangeError for another status
   */
  constructor(status: number, error: string, details = '') {
    super(details === '' ? error : `${error}: ${details}`);
    if (!Number.isInteger(status) || status < 400 || status > 599)
      throw new RangeError(`An error has a status from 400 to 599, not ${status}`);
    this.name = 'RestError';
    this.status = status;
    this.error = error;
    this.details = details;
  }
}

/**
 * A rule of the application is broken: 400 with an array of one validation item (contract/writing.md#validation). The
 * message may refer to one of the messages files: `{msg://key}`.
 */
export class ValidationError extends Error {
  declare readonly name: 'ValidationError';
  constructor(message: string) {
    super(message);
    this.name = 'ValidationError';
  }
}

/** The application refuses the caller: 403 `{"error":"Forbidden","details":message}`. */
export class AccessDeniedError extends Error {
  declare readonly name: 'AccessDeniedError';
  constructor(message: string) {
    super(message);
    this.name = 'AccessDeniedError';
  }
}

const NAMES: ReadonlySet<string> = new Set(['RestError', 'ValidationError', 'AccessDeniedError']);

/** Whether `value` is one of these errors, also one created by another copy of this package. */
export const isApplicationError = (value: unknown): value is RestError | ValidationError | AccessDeniedError =>
  value instanceof Error && NAMES.has(value.name);
