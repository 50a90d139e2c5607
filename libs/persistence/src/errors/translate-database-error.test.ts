import { PlatformError } from '@lintel/errors';
import { databaseErrorDetailsOf } from './database-error.ts';
import { isPoolExhausted } from './is-pool-exhausted.ts';
import { translateDatabaseError } from './translate-database-error.ts';

const failure = (members: object, message = 'value "secret" is wrong'): Error =>
  Object.assign(new Error(message), members);

test.each([
  ['23505', 'DATA_UNIQUE_VIOLATION', 409, false],
  ['23P01', 'DATA_UNIQUE_VIOLATION', 409, false],
  ['22000', 'DATA_VALIDATION_FAILED', 400, false],
  ['22015', 'DATA_VALIDATION_FAILED', 400, false],
  ['22026', 'DATA_VALIDATION_FAILED', 400, false],
  ['2200N', 'DATA_VALIDATION_FAILED', 400, false],
  ['23503', 'DATA_REFERENCE_VIOLATION', 409, false],
  ['23502', 'DATA_VALIDATION_FAILED', 400, false],
  ['22001', 'DATA_VALIDATION_FAILED', 400, false],
  ['22003', 'DATA_VALIDATION_FAILED', 400, false],
  ['22008', 'DATA_VALIDATION_FAILED', 400, false],
  ['22021', 'DATA_VALIDATION_FAILED', 400, false],
  ['22025', 'DATA_VALIDATION_FAILED', 400, false],
  ['54000', 'DATA_RESULT_TOO_LARGE', 400, false],
  ['LINTEL_ROW_SIZE', 'DATA_RESULT_TOO_LARGE', 400, false],
  ['ERR_STRING_TOO_LONG', 'DATA_RESULT_TOO_LARGE', 400, false],
  ['53400', 'REQ_COST_EXCEEDED', 400, false],
  ['57014', 'DATA_TIMEOUT', 503, true],
  ['40001', 'DATA_UNAVAILABLE', 503, true],
  ['40P01', 'DATA_UNAVAILABLE', 503, true],
  ['55000', 'DATA_UNAVAILABLE', 503, true],
  ['55P03', 'DATA_UNAVAILABLE', 503, true],
  ['08006', 'DATA_UNAVAILABLE', 503, true],
  ['57P01', 'DATA_UNAVAILABLE', 503, true],
  ['57P03', 'DATA_UNAVAILABLE', 503, true],
  ['53300', 'DATA_UNAVAILABLE', 503, true],
  ['ECONNREFUSED', 'DATA_UNAVAILABLE', 503, true],
  ['42601', 'INTERNAL_ERROR', 500, false],
  ['28P01', 'DATA_UNAVAILABLE', 503, true],
  ['3D000', 'DATA_UNAVAILABLE', 503, true],
  ['CERT_HAS_EXPIRED', 'DATA_UNAVAILABLE', 503, true],
  ['42501', 'INTERNAL_ERROR', 500, false],
])('%s is %s', (code, expected, status, retryable) => {
  expect(translateDatabaseError(failure({ code }))).toMatchObject({ code: expected, status, retryable });
});

test.each([
  ['rows', 'svc.rest.limits.collection-size'],
  ['bytes', 'collection-bytes'],
])('a collection with too many %s is named, and %s', (kind, property) => {
  const message = `invalid input syntax for type integer: "lintel-bound ${kind} sales_Order.lines 10001"`;
  const error = translateDatabaseError(failure({ code: '22P02' }, message)) as PlatformError;
  expect(error).toMatchObject({ code: 'DATA_RESULT_TOO_LARGE', status: 400 });
  expect(error.details).toContain('sales_Order.lines');
  expect(error.details).toContain(property);
  expect(translateDatabaseError(failure({ code: '22P02' }))).toMatchObject({ code: 'DATA_VALIDATION_FAILED' });
});

test.each([
  ["unnamed portal parameter $3 = 'x'", 3],
  ['unnamed portal parameter $12', 12],
  ['portal "C_1" parameter $2', 2],
  [`unbenanntes Portal, Parameter $4 = 'a "b" $7'`, 4],
  ['SQL statement "SELECT $1"\nPL/pgSQL function f() line 1', undefined],
  [undefined, undefined],
])('the parameter of the context %j is %j', (where, parameter) => {
  const error = translateDatabaseError(failure({ code: '22P02', where }));
  expect(databaseErrorDetailsOf(error)?.parameter).toBe(parameter);
});

test.each([
  ['42601', 'INTERNAL_ERROR'],
  ['42P01', 'INTERNAL_ERROR'],
  ['P0001', 'INTERNAL_ERROR'],
  ['54000', 'DATA_RESULT_TOO_LARGE'],
])('%s of a parameter is an invalid value, and %s elsewhere', (code, otherwise) => {
  const where = 'unnamed portal parameter $1';
  expect(translateDatabaseError(failure({ code, where }))).toMatchObject({ code: 'DATA_VALIDATION_FAILED' });
  expect(translateDatabaseError(failure({ code }))).toMatchObject({ code: otherwise });
});

test('a value that the server cannot make is a result that is too large', () => {
  const error = failure({ code: 'XX000' }, 'invalid memory alloc request size 1258291204');
  expect(translateDatabaseError(error)).toMatchObject({ code: 'DATA_RESULT_TOO_LARGE' });
  expect(translateDatabaseError(failure({ code: 'XX000' }))).toMatchObject({ code: 'INTERNAL_ERROR' });
});

test.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])(
  'the driver saying "%s" means that the database is away',
  (message) => {
    expect(translateDatabaseError(failure({}, message))).toMatchObject({ code: 'DATA_UNAVAILABLE' });
  },
);

test('no free connection is distinguished from an unavailable database', () => {
  const [exhausted, away] = ['timeout exceeded when trying to connect', 'Connection terminated unexpectedly'].map(
    (message) => (translateDatabaseError(failure({}, message)) as PlatformError).details,
  );
  expect([exhausted, away]).toEqual([
    'No connection to the database became free in time',
    'The database cannot be reached',
  ]);
  const isExhausted = (message: string) => isPoolExhausted(translateDatabaseError(failure({}, message)));
  expect([isExhausted('timeout exceeded when trying to connect'), isExhausted('Connection ended')]).toEqual([
    true,
    false,
  ]);
});

test('a read-only server is an outage for transactions that may write, and an internal error for others', () => {
  expect(translateDatabaseError(failure({ code: '25006' }), true)).toMatchObject({ code: 'DATA_UNAVAILABLE' });
  expect(translateDatabaseError(failure({ code: '25006' }))).toMatchObject({ code: 'INTERNAL_ERROR' });
});

test('names for the caller and the original for the log are kept, and no value reaches the client', () => {
  const original = failure({
    code: '23505',
    schema: 's',
    table: 't',
    constraint: 'uq',
    detail: 'Key (c)=(secret) exists',
  });
  const error = translateDatabaseError(original);
  expect(databaseErrorDetailsOf(error)).toEqual({
    sqlState: '23505',
    schema: 's',
    table: 't',
    column: undefined,
    constraint: 'uq',
  });
  expect(error.cause).toBe(original);
  expect(JSON.stringify({ ...error, message: error.message })).not.toContain('secret');
});

test('errors of the platform pass unchanged', () => {
  const error = new PlatformError('DATA_OPTIMISTIC_LOCK');
  expect(translateDatabaseError(error)).toBe(error);
  expect(databaseErrorDetailsOf(error)).toBeUndefined();
});
