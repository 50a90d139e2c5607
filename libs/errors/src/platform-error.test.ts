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

test('a validation failure carries its items', () => {
  const items = [{ message: 'may not be null', messageTemplate: 't', path: 'name', invalidValue: null }];
  expect(validationError(items)).toMatchObject({ status: 400, items });
});
