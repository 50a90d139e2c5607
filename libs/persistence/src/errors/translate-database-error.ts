import { type ErrorCode, isPlatformError } from '@lintel/errors';
import type { WriteTarget } from '../database.ts';
import { DatabaseError, type DatabaseErrorDetails, type ViolatedReference } from './database-error.ts';
import { NO_FREE_CONNECTION } from './is-pool-exhausted.ts';

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
  'A row of the result is larger than the limit (half of svc.datasource.max-result-memory)',
];
const INVALID_VALUE: Meaning = ['DATA_VALIDATION_FAILED', 'A value is not valid for its attribute'];

/** https://www.postgresql.org/docs/18/errcodes-appendix.html */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  // A range whose end is before its begin.
  '22000': INVALID_VALUE,
  '22001': ['DATA_VALIDATION_FAILED', 'A value is too long'],
  '22003': ['DATA_VALIDATION_FAILED', 'A number is out of range'],
  '22007': INVALID_VALUE,
  '22008': ['DATA_VALIDATION_FAILED', 'A date or time is out of range'],
  '22015': ['DATA_VALIDATION_FAILED', 'A date or time is out of range'],
  '22021': ['DATA_VALIDATION_FAILED', 'A text contains a character that cannot be stored'],
  '22025': ['DATA_VALIDATION_FAILED', 'A pattern ends with its escape character, or that is not one character'],
  // Bits whose number is not that of the column.
  '22026': ['DATA_VALIDATION_FAILED', 'A value has another length than its attribute'],
  '2200M': INVALID_VALUE,
  '2200N': INVALID_VALUE,
  '22P05': ['DATA_VALIDATION_FAILED', 'A text contains a character that cannot be stored'],
  '23502': ['DATA_VALIDATION_FAILED', 'A mandatory value is missing'],
  '23503': ['DATA_REFERENCE_VIOLATION', ''],
  '23505': ['DATA_UNIQUE_VIOLATION', ''],
  '23514': INVALID_VALUE,
  // exclusion_violation: ranges that overlap.
  '23P01': ['DATA_UNIQUE_VIOLATION', ''],
  '25P03': ['DATA_TIMEOUT', 'The transaction was idle for too long'],
  '25P04': ['DATA_TIMEOUT', 'The transaction took too long'],
  // A value, a row or an array over the maximum of the database, 1 GB.
  '54000': TOO_LARGE,
  // The database does not exist, or not any more: no request is the reason.
  '3D000': UNAVAILABLE,
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
    'The request needs more temporary files of the database than the limit allows (temp_file_limit)',
  ],
  LINTEL_RESULT_SIZE: [
    'DATA_RESULT_TOO_LARGE',
    'The rows of the result are larger together than the limit; ask for fewer at a time (half of svc.datasource.max-result-memory)',
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

/** The context of an error in reading a parameter: `unnamed portal parameter $3 = '…'`, in the server's language. */
const PARAMETER = /^(?:[^"$\n]*|[^"$\n]*"[^"\n]*"[^"$\n]*)\$(\d+)(?: = .*)?$/m;

/**
 * SQLSTATE classes of texts that are no value of a type: besides data exceptions, rules of domains, what types of
 * extensions report as an error of syntax or of a name, and arrays of too many dimensions.
 */
const VALUE_CLASSES: ReadonlySet<string | undefined> = new Set(['22', '23', '42', '54', 'P0']);
/** Meanings that no error of a parameter has. */
const NO_VALUES: ReadonlySet<ErrorCode> = new Set(['INTERNAL_ERROR', 'DATA_RESULT_TOO_LARGE']);

/** The parameter that the database could not read; undefined for other errors. */
function parameterOf(error: object, code: string | undefined): number | undefined {
  if (!VALUE_CLASSES.has(code?.slice(0, 2))) return undefined;
  const [, number] = PARAMETER.exec(textOf(error, 'where') ?? '') ?? [];
  return number === undefined ? undefined : Number(number);
}

/** The column into which a parameter is written. */
function columnAt(
  target: WriteTarget | undefined,
  parameter: number,
): Pick<DatabaseErrorDetails, 'schema' | 'table' | 'column'> | undefined {
  const column = target?.columns[parameter - 1];
  return column === undefined ? undefined : { schema: target?.schema, table: target?.table, column };
}

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
      : `The collection ${collection} of an instance is larger than the limit allows (collection-bytes)`;
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
 * @param target of the statement that failed
 */
export function translateDatabaseError(error: unknown, mayWrite = false, target?: WriteTarget): Error {
  if (isPlatformError(error)) return error;
  const source = typeof error === 'object' && error !== null ? error : {};
  const code = textOf(source, 'code');
  const reference = code === FOREIGN_KEY_VIOLATION ? violatedReferenceOf(source) : undefined;
  const parameter = parameterOf(source, code);
  const database: DatabaseErrorDetails = {
    ...(reference !== undefined && { reference }),
    ...(parameter !== undefined && { parameter }),
    ...(target?.isExchange === true && { isExchange: true }),
    sqlState: code,
    schema: textOf(source, 'schema'),
    table: textOf(source, 'table'),
    column: textOf(source, 'column'),
    constraint: textOf(source, 'constraint'),
    ...(parameter === undefined ? {} : columnAt(target, parameter)),
  };
  const meaning = mayWrite && code === READ_ONLY ? TAKES_NO_CHANGES : meaningOf(source, code);
  const [platformCode, text] = parameter !== undefined && NO_VALUES.has(meaning[0]) ? INVALID_VALUE : meaning;
  return new DatabaseError(platformCode, text, database, { cause: error });
}

/** `(order_id, position)=(7, 1)`: this part of the detail is the same in all languages of the server. */
const KEY = /\([^()]+\)=\((.*)\)(?=[^()]*$)/;

/** The quotation marks of the server's languages. */
/** «» „“” 「」, escaped: one character above U+00FF makes the text of a bundle take twice the memory. */
const QUOTES = /["\u00ab\u00bb\u201e\u201c\u201d\u300c\u300d]/g;

/**
 * The side of a foreign key that a statement violated. The error of a row that refers to a missing one names two
 * things, its table and the constraint; that of a deleted row also names the other table.
 *
 * @returns undefined if the error has no detail that can be read
 */
export function violatedReferenceOf(error: object): ViolatedReference | undefined {
  const { message, detail } = error as { readonly message?: unknown; readonly detail?: unknown };
  if (typeof message !== 'string' || typeof detail !== 'string') return undefined;
  const [, values] = KEY.exec(detail) ?? [];
  if (values === undefined) return undefined;
  return {
    kind: (message.match(QUOTES)?.length ?? 0) > 4 ? 'used' : 'missing',
    values,
  };
}
