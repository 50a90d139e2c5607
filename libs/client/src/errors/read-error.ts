import { parseExact } from '../json/parse-exact.ts';
import type { ResponseLike } from '../platform.ts';
import {
  ConflictError,
  type ErrorResponse,
  ForbiddenError,
  NotFoundError,
  RestError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
  type ValidationItem,
} from './rest-error.ts';

/** The error of a response: of the API, of a token endpoint, or of a server between. */
export function readError(response: Pick<ResponseLike, 'status' | 'headers'>, text: string): RestError {
  const { status, headers } = response;
  const body = readBody(text);
  const member = (...names: readonly string[]): string => {
    for (const name of names) {
      const value = (body as Record<string, unknown> | undefined)?.[name];
      if (typeof value === 'string') return value;
    }
    return '';
  };
  const isApi = typeof body === 'object' && body !== null;
  const items = Array.isArray(body) ? body : isApi && 'errors' in body ? body.errors : undefined;
  const described: ErrorResponse = {
    status,
    code: headers.get('x-error-code') ?? (member('code') || `HTTP_${status}`),
    error: isApi ? member('error', 'title') : '',
    details: isApi ? member('details', 'detail', 'error_description') : '',
    body,
    traceId: headers.get('x-trace-id') ?? undefined,
    neededPolicy: policyOf(headers.get('x-needed-policy')),
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
  };
  if (status === 400 && Array.isArray(items)) {
    return new ValidationError({ ...described, error: 'Validation failed' }, items as readonly ValidationItem[]);
  }
  const Kind = kindOf(described);
  return new Kind(described);
}

/** The name is escaped; a server between may have written something else. */
function policyOf(header: string | null): string | undefined {
  if (header === null) return undefined;
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}

function kindOf({ status, code }: ErrorResponse): typeof RestError {
  if (code === 'DATA_OPTIMISTIC_LOCK') return ConflictError;
  switch (status) {
    case 401:
      return UnauthorizedError;
    case 403:
      return ForbiddenError;
    case 404:
      return NotFoundError;
    case 409:
    case 412:
      return ConflictError;
    case 429:
    case 503:
      return UnavailableError;
    default:
      return RestError;
  }
}

function readBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return parseExact(text, {});
  } catch {
    return text;
  }
}

/** `Retry-After` as milliseconds: it has seconds or a date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
