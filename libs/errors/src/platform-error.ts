import { ERROR_CODES, type ErrorCode } from './codes.ts';

/** One violated rule of specification 2.4. */
export interface ValidationItem {
  /** Localised text. */
  readonly message: string;
  /** The unresolved template the text came from. */
  readonly messageTemplate: string;
  /** Path from the sent root, e.g. `lines[1].quantity` (decisions.md 50). */
  readonly path: string;
  /** The submitted value, as it was sent; `null` where it was absent. */
  readonly invalidValue: unknown;
}

export interface PlatformErrorOptions {
  /** Replaces the table's `error` text where the contract words one case differently. */
  readonly error?: string;
  /** For the log only; never reaches the wire. */
  readonly cause?: unknown;
  /** Extra response headers, e.g. `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The items of a validation failure; the body is then their bare array. */
  readonly items?: readonly ValidationItem[];
  /** The answer has no body (404 of an instance or a file, decisions.md 1). */
  readonly emptyBody?: boolean;
}

/**
 * The only error that platform code throws on purpose. `details` is shown to the client: it says what
 * to change and never carries a value the caller may not see.
 */
export class PlatformError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  /** The `error` member of the body. */
  readonly error: string;
  /** The `details` member of the body. */
  readonly details: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly items: readonly ValidationItem[] | undefined;
  readonly emptyBody: boolean;

  constructor(code: ErrorCode, details = '', options: PlatformErrorOptions = {}) {
    const row = ERROR_CODES[code];
    const error = options.error ?? row.error;
    super(details === '' ? error : `${error}: ${details}`, { cause: options.cause });
    this.name = 'PlatformError';
    this.code = code;
    this.status = row.status;
    this.retryable = row.retryable;
    this.error = error;
    this.details = details;
    this.headers = options.headers ?? {};
    this.items = options.items;
    this.emptyBody = options.emptyBody ?? false;
  }
}

/** Whether `value` is a `PlatformError`, also one made by another copy of this package. */
export function isPlatformError(value: unknown): value is PlatformError {
  return (
    value instanceof Error &&
    'code' in value &&
    typeof value.code === 'string' &&
    Object.hasOwn(ERROR_CODES, value.code) &&
    'details' in value
  );
}

/** A 400 whose body is the array of violated rules (specification 2.4). */
export function validationError(items: readonly ValidationItem[]): PlatformError {
  return new PlatformError('DATA_VALIDATION_FAILED', items.map((item) => item.path).join(', '), {
    items,
  });
}
