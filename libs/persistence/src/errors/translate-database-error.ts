import { type ErrorCode, isPlatformError } from '@lintel/errors';
import { DatabaseError, type DatabaseErrorDetails } from './database-error.ts';
import { NO_FREE_CONNECTION } from './is-pool-exhausted.ts';
import { violatedReferenceOf } from './violated-reference.ts';

/** An error code of the platform and the message for the client, which never contains a value. */
type Meaning = readonly [ErrorCode, string];

const UNAVAILABLE: Meaning = ['DATA_UNAVAILABLE', 'The database cannot be reached'];
const EXHAUSTED: Meaning = ['DATA_UNAVAILABLE', 'No connection to the database became free in time'];
const OVERLOADED: Meaning = ['DATA_UNAVAILABLE', 'The database has no capacity left'];
const TAKES_NO_CHANGES: Meaning = ['DATA_UNAVAILABLE', 'The database takes no changes now'];
const COLLISION: Meaning = ['DATA_UNAVAILABLE', 'The change collided with a concurrent one; send it again'];
const TOO_LARGE: Meaning = ['DATA_RESULT_TOO_LARGE', 'A row of the result is larger than the database can make'];
/** `ERR_STRING_TOO_LONG` is Node's error for more than 512 MB. */
const ROW_TOO_LARGE: Meaning = [
  'DATA_RESULT_TOO_LARGE',
  'A row of the result is larger than the limit (svc.datasource.max-row-size)',
];
const INVALID_VALUE: Meaning = ['DATA_VALIDATION_FAILED', 'A value is not valid for its attribute'];

/** https://www.postgresql.org/docs/18/errcodes-appendix.html */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  '22001': ['DATA_VALIDATION_FAILED', 'A value is too long'],
  '22003': ['DATA_VALIDATION_FAILED', 'A number is out of range'],
  '22007': INVALID_VALUE,
  '22008': ['DATA_VALIDATION_FAILED', 'A date or time is out of range'],
  '22021': ['DATA_VALIDATION_FAILED', 'A text contains a character that cannot be stored'],
  '22025': ['DATA_VALIDATION_FAILED', 'A pattern ends with its escape character, or that is not one character'],
  '22P05': ['DATA_VALIDATION_FAILED', 'A text contains a character that cannot be stored'],
  '23502': ['DATA_VALIDATION_FAILED', 'A mandatory value is missing'],
  '23503': ['DATA_REFERENCE_VIOLATION', ''],
  '23505': ['DATA_UNIQUE_VIOLATION', ''],
  '23514': INVALID_VALUE,
  '25P03': ['DATA_TIMEOUT', 'The transaction was idle for too long'],
  '25P04': ['DATA_TIMEOUT', 'The transaction took too long'],
  // A value, a row or an array over the maximum of the database, 1 GB.
  '54000': TOO_LARGE,
  '40001': COLLISION,
  '40P01': COLLISION,
  '55P03': COLLISION,
  '55000': [
    'DATA_UNAVAILABLE',
    'A part of the database is not ready, such as a materialized view before its first refresh',
  ],
  '57014': ['DATA_TIMEOUT', 'The statement took too long'],
  '57P01': UNAVAILABLE,
  '57P02': UNAVAILABLE,
  '57P03': UNAVAILABLE,
  '57P04': UNAVAILABLE,
  '57P05': UNAVAILABLE,
  // `temp_file_limit`
  '53400': [
    'REQ_COST_EXCEEDED',
    'The request needs more temporary files of the database than the limit allows (svc.datasource.temp-file-limit)',
  ],
  LINTEL_RESULT_SIZE: [
    'DATA_RESULT_TOO_LARGE',
    'The rows of the result are larger together than the limit; ask for fewer at a time (svc.datasource.max-result-size, and half of svc.datasource.max-result-memory)',
  ],
  LINTEL_RESULT_MEMORY: [
    'REQ_OVERLOADED',
    'The results of other requests use the memory for results (svc.datasource.max-result-memory); send it again',
  ],
  LINTEL_ROW_SIZE: ROW_TOO_LARGE,
  ERR_STRING_TOO_LONG: ROW_TOO_LARGE,
};

/** Class 28: the login is refused, as while its password changes. */
const CLASSES: Readonly<Record<string, Meaning>> = { '08': UNAVAILABLE, '28': UNAVAILABLE, '53': OVERLOADED };

/** Codes of a connection that cannot be encrypted, or of a certificate that is not valid. */
const ENCRYPTION = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|ERR_OSSL_)/;

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EACCES',
]);

/** Messages of the driver's own errors, which have no code. */
const LOST_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Connection ended)/;

const TOO_LARGE_ALLOCATION = /^invalid memory alloc request size/;

const FOREIGN_KEY_VIOLATION = '23503';

/** read_only_sql_transaction */
const READ_ONLY = '25006';

const textOf = (error: object, member: string): string | undefined => {
  const value = (error as Readonly<Record<string, unknown>>)[member];
  return typeof value === 'string' ? value : undefined;
};

/**
 * Message by which a statement of the compiler reports a collection that is too large (`write-refusal.ts` of
 * `@lintel/query`).
 */
const BOUND = /"lintel-bound (rows|bytes) (\S+) \d+"/;

function boundOf(error: object): Meaning | undefined {
  const [, kind, collection] = BOUND.exec(textOf(error, 'message') ?? '') ?? [];
  if (kind === undefined || collection === undefined) return undefined;
  const text =
    kind === 'rows'
      ? `The collection ${collection} of an instance has more members than the limit allows (svc.rest.limits.collection-size)`
      : `The collection ${collection} of an instance is larger than the limit allows (svc.rest.limits.collection-bytes)`;
  return ['DATA_RESULT_TOO_LARGE', text];
}

function meaningOf(error: object, code: string | undefined): Meaning {
  if (code === undefined) {
    if (textOf(error, 'message') === NO_FREE_CONNECTION) return EXHAUSTED;
    return LOST_CONNECTION.test(textOf(error, 'message') ?? '') ? UNAVAILABLE : ['INTERNAL_ERROR', ''];
  }
  if (NETWORK_CODES.has(code) || ENCRYPTION.test(code)) return UNAVAILABLE;
  if (code === '22P02') return boundOf(error) ?? INVALID_VALUE;
  // The server has no own code for a value over 1 GB and reports an internal error.
  if (code === 'XX000' && TOO_LARGE_ALLOCATION.test(textOf(error, 'message') ?? '')) return TOO_LARGE;
  return MEANINGS[code] ?? CLASSES[code.slice(0, 2)] ?? ['INTERNAL_ERROR', ''];
}

/**
 * Translates an error of the driver into one of the platform; only this module knows SQLSTATEs
 * (contract/decisions.md#17). The original error is the `cause`. Errors of the platform are returned unchanged.
 *
 * @param mayWrite whether the transaction may write: where the server refuses that, it is a replica that was not
 * promoted yet, or it is configured to be read-only
 */
export function translateDatabaseError(error: unknown, mayWrite = false): Error {
  if (isPlatformError(error)) return error;
  const source = typeof error === 'object' && error !== null ? error : {};
  const code = textOf(source, 'code');
  const reference = code === FOREIGN_KEY_VIOLATION ? violatedReferenceOf(source) : undefined;
  const database: DatabaseErrorDetails = {
    ...(reference !== undefined && { reference }),
    sqlState: code,
    schema: textOf(source, 'schema'),
    table: textOf(source, 'table'),
    column: textOf(source, 'column'),
    constraint: textOf(source, 'constraint'),
  };
  const [platformCode, text] = mayWrite && code === READ_ONLY ? TAKES_NO_CHANGES : meaningOf(source, code);
  return new DatabaseError(platformCode, text, database, { cause: error });
}
