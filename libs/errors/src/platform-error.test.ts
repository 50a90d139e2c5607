import { isPlatformError, PlatformError, validationError } from './index.ts';

test('status and text come from the table, details from the caller', () => {
  const error = new PlatformError('REQ_INVALID_ENTITY_ID', 'Cannot convert x into valid entity ID');
  expect(error).toMatchObject({
    status: 400,
    error: 'Invalid entity ID',
    details: 'Cannot convert x into valid entity ID',
  });
  expect(error.message).toBe('Invalid entity ID: Cannot convert x into valid entity ID');
});

test('an error of another copy of the package is recognised by its code', () => {
  const foreign = Object.assign(new Error('x'), { code: 'DATA_TIMEOUT', details: '' });
  expect(isPlatformError(foreign)).toBe(true);
  expect(isPlatformError(Object.assign(new Error('x'), { code: 'ECONNRESET' }))).toBe(false);
  expect(isPlatformError('DATA_TIMEOUT')).toBe(false);
});

test('the texts of an error do not grow with the request', () => {
  const { details, message } = new PlatformError('REQ_INVALID_FILTER', 'x'.repeat(900_000));
  expect(details).toBe(`${'x'.repeat(2_000)}…`);
  expect(message).toHaveLength('Cannot parse entities filter: '.length + 2_001);
});

test.each([
  ['a text', 'x'.repeat(1_000), 'x'.repeat(1_000)],
  ['a long text', 'x'.repeat(900_000), `${'x'.repeat(1_000)}…`],
  ['a list', [1, 2], [1, 2]],
  ['a long list', Array(1_000).fill(7), `${'[7'.padEnd(1_000, ',7')}…`],
])('the invalid value of a violated rule is short: %s', (_, invalidValue, expected) => {
  const item = { message: 'm', messageTemplate: 't', path: 'name' };
  expect(validationError([{ ...item, invalidValue }]).items).toEqual([{ ...item, invalidValue: expected }]);
});

test('a validation failure carries its items', () => {
  const items = [{ message: 'may not be null', messageTemplate: 't', path: 'name', invalidValue: null }];
  expect(validationError(items)).toMatchObject({ status: 400, items });
});
