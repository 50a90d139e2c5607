import type { ProviderProblemCode } from '@lintel/contracts';

/** Why a provider could not confirm a login: it (or its response) was refused, or it cannot be reached. */
export type ProviderFailureKind = 'refused' | 'unavailable';

interface ProviderFailureOptions extends ErrorOptions {
  /** What is wrong with the metadata. */
  readonly problem?: ProviderProblemCode;
}

/** A failure of a provider. Its message is for the log. */
export class ProviderFailure extends Error {
  readonly kind: ProviderFailureKind;
  readonly problem: ProviderProblemCode | undefined;

  constructor(kind: ProviderFailureKind, message: string, options: ProviderFailureOptions = {}) {
    super(message, options);
    this.name = 'ProviderFailure';
    this.kind = kind;
    this.problem = options.problem;
  }
}

const MAX_DEPTH = 5;
const UNAVAILABLE: ReadonlySet<unknown> = new Set(['OAUTH_TIMEOUT', 'ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC']);

/** The failure for an error of openid-client or jose, neither of which shows a token in its message. */
export function toProviderFailure(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  const kind = isUnavailable(error, 0) ? 'unavailable' : 'refused';
  return new ProviderFailure(kind, reasonOf(error), { cause: error });
}

/** Codes of OAuth errors (RFC 6749 §5.2), as far as they are short words. */
const OAUTH_ERROR = /^[\w.-]{1,64}$/;

/** The error that the provider reports, else the code of the library. */
function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  if ('error' in error && typeof error.error === 'string' && OAUTH_ERROR.test(error.error)) return error.error;
  return 'code' in error ? String(error.code) : 'unknown';
}

function isUnavailable(error: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH || typeof error !== 'object' || error === null) return false;
  if (error instanceof Response) return error.status >= 500;
  if (error instanceof TypeError && error.message === 'fetch failed') return true;
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) return true;
  if ('code' in error && UNAVAILABLE.has(error.code)) return true;
  return 'cause' in error && isUnavailable(error.cause, depth + 1);
}
