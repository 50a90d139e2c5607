/** Descriptions of error codes of systems, drivers and servers, for operators. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
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
  ETIMEDOUT: 'no response in time',
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
  // An outage that the driver detects without a code
  DATA_UNAVAILABLE: 'it does not respond',
};

/** The form of a code: a name, never a value. */
const CODE = /^[A-Za-z0-9_]{2,40}$/;

/**
 * Describes an error without addresses, names and secrets, by the code of the error or of its causes. The message of an
 * error is never used, since it may contain any of them.
 */
export function safeReason(error: unknown): string {
  const codes = codesOf(error);
  for (const code of codes) {
    const description = DESCRIPTIONS[code];
    if (description !== undefined) return description;
  }
  const [code] = codes;
  return code === undefined ? 'failed' : `failed (${code})`;
}

/** The codes of an error and of its causes; the deepest one comes first, since it is the most exact. */
function codesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error && typeof error.code === 'string' && CODE.test(error.code) ? [error.code] : [];
  const parts = error instanceof AggregateError ? error.errors : [];
  return [...codesOf(error.cause), ...parts.flatMap(codesOf), ...code];
}
