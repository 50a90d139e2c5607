import { LintelError } from './lintel-error.ts';

/** What an error response says. */
export interface ErrorResponse {
  /** HTTP status of the response. */
  readonly status: number;
  /** The stable code of the error (`DATA_UNIQUE_VIOLATION`), or `HTTP_<status>` of a server that sends none. */
  readonly code: string;
  /** The short text: the member `error`, or the `title` of a problem. */
  readonly error: string;
  /** The explanation: the member `details`, or the `detail` of a problem; empty if there is none. */
  readonly details: string;
  /** The body: JSON, else text; undefined if it is empty. */
  readonly body: unknown;
  /** Identifies the request in the log of the server. */
  readonly traceId: string | undefined;
  /** The specific policy that the caller does not have, if a 403 is about one. */
  readonly neededPolicy?: string | undefined;
  /** How long to wait before the request is sent again, if the server said so. */
  readonly retryAfterMs: number | undefined;
}

/** An error response. Its subclasses are the kinds of errors that applications handle in different ways. */
export class RestError extends LintelError implements ErrorResponse {
  override readonly name: string = 'RestError';
  readonly status: number;
  readonly error: string;
  readonly details: string;
  readonly body: unknown;
  readonly traceId: string | undefined;
  readonly neededPolicy: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(response: ErrorResponse) {
    const { status, code, error, details } = response;
    super(code, `${status} ${[error, details].filter((text) => text !== '').join(': ') || code}`);
    this.status = status;
    this.error = error;
    this.details = details;
    this.body = response.body;
    this.traceId = response.traceId;
    this.neededPolicy = response.neededPolicy;
    this.retryAfterMs = response.retryAfterMs;
  }
}

/** The token is missing, has expired or was revoked (401), and could not be renewed: log in again. */
export class UnauthorizedError extends RestError {
  override readonly name: string = 'UnauthorizedError';
}

/** The caller does not have the right (403). */
export class ForbiddenError extends RestError {
  override readonly name: string = 'ForbiddenError';
}

/** An entity, instance, file, query or service does not exist for the caller (404). */
export class NotFoundError extends RestError {
  override readonly name: string = 'NotFoundError';
}

/**
 * Another write came first, or the data forbids this one (409, 412, `DATA_OPTIMISTIC_LOCK`): the instance was changed,
 * a unique value is taken, a reference forbids a deletion. `code` says which.
 */
export class ConflictError extends RestError {
  override readonly name: string = 'ConflictError';
}

/** The server refuses requests for a while (429, 503), and the client has sent this one again as often as it may. */
export class UnavailableError extends RestError {
  override readonly name: string = 'UnavailableError';
}

/** A violation of a rule of the model. */
export interface ValidationItem {
  /** In the locale of the request. */
  readonly message: string;
  /** The message before its parameters are filled in. */
  readonly messageTemplate: string;
  /** From the root that was sent: `lines[1].quantity`. */
  readonly path: string;
  /** The value that violates the rule, as it was sent. */
  readonly invalidValue: unknown;
}

/** Values violate rules of the model (400). */
export class ValidationError extends RestError {
  override readonly name: string = 'ValidationError';
  /** One for each violation; several may have the same path. */
  readonly items: readonly ValidationItem[];

  constructor(response: ErrorResponse, items: readonly ValidationItem[]) {
    super({ ...response, details: items.map(({ path, message }) => `${path} ${message}`.trim()).join('; ') });
    this.items = items;
  }
}
