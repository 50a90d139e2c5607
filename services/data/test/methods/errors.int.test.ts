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

test('rules of parameters: 400 with an item for each violation under the path of the parameter', async () => {
  const answer = await call('d_Desk/validated', { code: 'toolong', born: '2099-01-01' });
  expect(answer.status).toBe(400);
  expect(answer.json()).toEqual([
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

test('a rule of the result that is broken: 400 under the path of the return value', async () => {
  expect((await call('d_Desk/validated', { code: 'AB' })).text).toBe('8');
  const answer = await call('d_Desk/validated', { code: 'ABC' });
  expect(answer.status).toBe(400);
  expect(answer.json()).toEqual([
    {
      message: 'must be less than or equal to 10',
      messageTemplate: '{jakarta.validation.constraints.DecimalMax.message}',
      path: 'validated.<return value>',
      invalidValue: null,
    },
  ]);
});

test('an error of the application’s own validation: 400 with one item', async () => {
  const answer = await call('d_Errors/invalid');
  expect(answer.status).toBe(400);
  expect(answer.json()).toEqual([
    {
      message: 'Epic fail',
      messageTemplate: '{io.jmix.core.validation.CustomValidationException}',
      path: '',
      invalidValue: null,
    },
  ]);
});

test('a business error answers with its own status, error and details', async () => {
  const answer = await call('d_Errors/business');
  expect([answer.status, answer.json()]).toEqual([
    422,
    { error: 'Cannot be shipped', details: 'The address is incomplete' },
  ]);
});

test('a refusal of the application is 403 Forbidden with its message', async () => {
  const answer = await call('d_Errors/denied');
  expect([answer.status, answer.json()]).toEqual([403, { error: 'Forbidden', details: 'Only on Mondays' }]);
});

test('what the data layer refuses keeps its own error', async () => {
  const answer = await call('d_Errors/forbiddenRead', {}, 'reader');
  expect([answer.status, answer.json()]).toEqual([
    403,
    { error: 'Reading forbidden', details: 'Reading of the d_Counter is forbidden' },
  ]);
});

test('a handler of the application answers errors that it knows', async () => {
  const answer = await call('d_Errors/teapot');
  expect([answer.status, answer.json()]).toEqual([
    418,
    { error: "I'm a teapot", details: 'Server is not a coffee machine' },
  ]);
});

test('any other error is a bug: 500 without details, the cause in the log alone', async () => {
  const before = fixture.errors.length;
  const answer = await call('d_Errors/bug');
  expect([answer.status, answer.json()]).toEqual([500, { error: 'Server error', details: '' }]);
  expect(answer.text).not.toContain('secret');
  expect(String((fixture.errors[before] as { error: Error }).error.message)).toBe('secret details');
});
