import { ERROR_CODES, type ErrorCode } from './codes.ts';
import { shortened } from './shortened.ts';

/** One violated rule of contract/writing.md#validation. */
export interface ValidationItem {
  /** Localised text. */
  readonly message: string;
  /** The unresolved template the text came from. */
  readonly messageTemplate: string;
  /** Path from the sent root, e.g. `lines[1].quantity` (contract/decisions.md#50). */
  readonly path: string;
  /** The submitted value, as it was sent, or the beginning of its JSON (`validationError`); `null` where it was absent. */
  readonly invalidValue: unknown;
}

export interface PlatformErrorOptions {
  /** Replaces the table's `error` text where the contract has another text for one case. */
  readonly error?: string;
  /** For the log only; never reaches the wire. */
  readonly cause?: unknown;
  /** Extra response headers, e.g. `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The items of a validation failure; the body is then their bare array. */
  readonly items?: readonly ValidationItem[];
  /** The response has no body (404 of an instance or a file, contract/decisions.md#1). */
  readonly emptyBody?: boolean;
}

/**
 * The error of a part of a body or parameter that would be ignored, in a request that refuses this.
 *
 * @param part of the value, such as its `offset`; without it the attribute may only be viewed
 */
export const withoutEffect = (path: string, part?: string): PlatformError =>
  new PlatformError(
    'REQ_WITHOUT_EFFECT',
    part === undefined ? `'${path}' is read-only` : `The ${part} of '${path}' has no effect`,
  );

/** Characters of `error` and of `details`. Most texts are far shorter; no response repeats a long body. */
const MAX_DETAILS = 2_000;

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
    const error = shortened(options.error ?? row.error, MAX_DETAILS);
    const shown = shortened(details, MAX_DETAILS);
    super(shown === '' ? error : `${error}: ${shown}`, { cause: options.cause });
    this.name = 'PlatformError';
    this.code = code;
    this.status = row.status;
    this.retryable = row.retryable;
    this.error = error;
    this.details = shown;
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

/**
 * A 400 whose body is the array of violated rules (contract/writing.md#validation). A long invalid value is replaced by
 * the beginning of its JSON, since each rule that it violates repeats it.
 */
export function validationError(items: readonly ValidationItem[]): PlatformError {
  return new PlatformError('DATA_VALIDATION_FAILED', items.map((item) => item.path).join(', '), {
    items: items.map((item) => ({ ...item, invalidValue: shownValue(item.invalidValue) })),
  });
}

/** Characters of an invalid value in an item. */
const MAX_INVALID_VALUE = 1_000;

function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value, MAX_INVALID_VALUE);
  if (typeof value !== 'object' || value === null) return value;
  const json = JSON.stringify(value);
  return json.length > MAX_INVALID_VALUE ? shortened(json, MAX_INVALID_VALUE) : value;
}

/**
 * A request that asks for more than a limit allows (contract/decisions.md#74).
 *
 * @param details says what is above which limit: `The fetch plan has more than 500 objects`
 * @param property the property that sets the limit: `svc.rest.limits.list-values`
 */
export const costExceeded = (details: string, property: string): PlatformError =>
  new PlatformError('REQ_COST_EXCEEDED', `${details} (${property})`);
