/** What codes of systems, drivers and servers mean to an operator. */
const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EAI_AGAIN: 'the host name is not known',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  EHOSTUNREACH: 'no way to the host',
  ENETUNREACH: 'no way to the host',
  ENOENT: 'it does not exist',
  ENOSPC: 'no space left',
  ENOTFOUND: 'the host name is not known',
  EPIPE: 'connection lost',
  EROFS: 'it is read-only',
  ETIMEDOUT: 'no answer in time',
  // PostgreSQL
  '28000': 'login refused',
  '28P01': 'login refused',
  '3D000': 'the database does not exist',
  '42501': 'permission denied',
  '53300': 'too many connections',
  '57P03': 'the server starts or stops',
  // Redis, S3
  NOAUTH: 'login refused',
  WRONGPASS: 'login refused',
  AccessDenied: 'permission denied',
  InvalidAccessKeyId: 'login refused',
  NoSuchBucket: 'the bucket does not exist',
  SignatureDoesNotMatch: 'login refused',
};

/** Codes are names, never values. */
const CODE = /^[A-Za-z0-9_]{2,40}$/;

/**
 * Why something failed, in words that hold no address, name or secret: by the code of the error or of its causes.
 * Messages of errors are never shown, they may say anything.
 */
export function safeReason(error: unknown): string {
  const codes = codesOf(error);
  for (const code of codes) {
    const words = WORDS[code];
    if (words !== undefined) return words;
  }
  const [code] = codes;
  return code === undefined ? 'failed' : `failed (${code})`;
}

/** The codes of an error and of its causes, the deepest first: it is the most exact. */
function codesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error && typeof error.code === 'string' && CODE.test(error.code) ? [error.code] : [];
  const parts = error instanceof AggregateError ? error.errors : [];
  return [...codesOf(error.cause), ...parts.flatMap(codesOf), ...code];
}
