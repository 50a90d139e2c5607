import type { ProviderProblem, ProviderProblemCode } from '@lintel/contracts';
import { errorCodeOf } from '@lintel/errors';

/** A problem that was found, with a sentence that names the reason. */
export class FoundProblem extends Error {
  readonly code: ProviderProblemCode;

  constructor(code: ProviderProblemCode, message: string) {
    super(message);
    this.name = 'FoundProblem';
    this.code = code;
  }
}

const MAX_DEPTH = 6;
const NAME_CODES: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA']);
const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'OAUTH_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'UND_ERR_SOCKET',
]);
const FILE_CODES: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EISDIR']);
/** Codes of TLS: of OpenSSL, and of Node.js for certificates. */
const TLS = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_CA$)/;

/**
 * The problem that an error of a connection is, in words. `what` is the server or file. The words have codes of the
 * platform, and never what the other side has sent.
 */
export function problemOf(error: unknown, what: string): ProviderProblem {
  for (const each of causesOf(error)) {
    if (each instanceof FoundProblem) return { code: each.code, message: each.message };
    if (each instanceof Response && !each.ok)
      return { code: 'status', message: `${what} responds with status ${each.status}` };
    const code = errorCodeOf(each);
    if (NAME_CODES.has(code)) return { code: 'dns', message: `The name of ${what} is not found (DNS): ${code}` };
    if (TIMEOUT_CODES.has(code) || isTimeout(each))
      return { code: 'timeout', message: `${what} does not respond in time` };
    if (CONNECTION_CODES.has(code))
      return { code: 'connection', message: `There is no connection to ${what}: ${code}` };
    if (TLS.test(code)) return { code: 'tls', message: `TLS with ${what} fails: ${code}` };
    if (FILE_CODES.has(code)) return { code: 'file', message: `${what} cannot be read: ${code}` };
  }
  return { code: 'other', message: `The request to ${what} fails` };
}

/** The error and its causes; of several attempts (IPv6, IPv4) the errors of all. */
function causesOf(error: unknown, depth = 0): readonly unknown[] {
  if (depth > MAX_DEPTH || typeof error !== 'object' || error === null) return [];
  const several = error instanceof AggregateError ? error.errors : [];
  const causes = 'cause' in error ? [error.cause] : [];
  return [error, ...[...several, ...causes].flatMap((each) => causesOf(each, depth + 1))];
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
