import { type DataFixture, startData } from '../data-fixture.ts';
import { desk } from './desk-application.ts';

let fixture: DataFixture;

beforeAll(async () => {
  fixture = await startData(desk, {
    admin: { resourceRoles: ['system-full-access'] },
    reader: { resourceRoles: ['reader'] },
  });
});
afterAll(() => fixture.close());

const call = (path: string, parameters: Readonly<Record<string, unknown>> = {}, user = 'admin') =>
  fixture.send(user, 'POST', `/services/${path}`, parameters);

// Asserts contract/decisions.md#50, contract/services.md#exceptions, contract/writing.md#validation.
test('violated rules of parameters: 400 with an item for each violation, with the path of the parameter', async () => {
  const response = await call('d_Desk/validated', { code: 'toolong', born: '2099-01-01' });
  expect(response.status).toBe(400);
  expect(response.json()).toEqual([
    {
      message: 'must match "[A-Z]+"',
      messageTemplate: '{jakarta.validation.constraints.Pattern.message}',
      path: 'validated.code',
      invalidValue: 'toolong',
    },
    {
      message: 'size must be between 2 and 4',
      messageTemplate: '{jakarta.validation.constraints.Size.message}',
      path: 'validated.code',
      invalidValue: 'toolong',
    },
    {
      message: 'must be in the past',
      messageTemplate: '{jakarta.validation.constraints.Past.message}',
      path: 'validated.born',
      invalidValue: '2099-01-01',
    },
  ]);
});

// Asserts contract/writing.md#validation.
test('a violated rule of the result: 400 with the path of the return value', async () => {
  expect((await call('d_Desk/validated', { code: 'AB' })).text).toBe('8');
  const response = await call('d_Desk/validated', { code: 'ABC' });
  expect(response.status).toBe(400);
  expect(response.json()).toEqual([
    {
      message: 'must be less than or equal to 10',
      messageTemplate: '{jakarta.validation.constraints.DecimalMax.message}',
      path: 'validated.<return value>',
      invalidValue: null,
    },
  ]);
});

// Asserts contract/services.md#exceptions.
test('an error of the application’s own validation: 400 with one item', async () => {
  const response = await call('d_Errors/invalid');
  expect(response.status).toBe(400);
  expect(response.json()).toEqual([
    {
      message: 'Epic fail',
      messageTemplate: '{io.jmix.core.validation.CustomValidationException}',
      path: '',
      invalidValue: null,
    },
  ]);
});

// Asserts contract/services.md#exceptions.
test('a business error determines the status, error and details of the response', async () => {
  const response = await call('d_Errors/business');
  expect([response.status, response.json()]).toEqual([
    422,
    { error: 'Cannot be shipped', details: 'The address is incomplete' },
  ]);
});

// Asserts contract/services.md#exceptions.
test('an access error of the application returns 403 Forbidden with its message', async () => {
  const response = await call('d_Errors/denied');
  expect([response.status, response.json()]).toEqual([403, { error: 'Forbidden', details: 'Only on Mondays' }]);
});

// Asserts contract/services.md#exceptions.
test('an error of the data manager is returned unchanged', async () => {
  const response = await call('d_Errors/forbiddenRead', {}, 'reader');
  expect([response.status, response.json()]).toEqual([
    403,
    { error: 'Reading forbidden', details: 'Reading of the d_Counter is forbidden' },
  ]);
});

// Asserts contract/services.md#exceptions.
test('an error handler of the application returns the response to the errors that it knows', async () => {
  const response = await call('d_Errors/teapot');
  expect([response.status, response.json()]).toEqual([
    418,
    { error: "I'm a teapot", details: 'Server is not a coffee machine' },
  ]);
});

// Asserts contract/errors.md#catalogue, contract/row-policies.md#policies, contract/services.md#exceptions.
test('any other error is a bug: 500 without details, the cause only in the log', async () => {
  const before = fixture.errors.length;
  const response = await call('d_Errors/bug');
  expect([response.status, response.json()]).toEqual([500, { error: 'Server error', details: '' }]);
  expect(response.text).not.toContain('secret');
  expect(String((fixture.errors[before] as { error: Error }).error.message)).toBe('secret details');
});
