import { RestError, ValidationError } from '@lintel/client';
import { isAtFields, parameterErrors } from './parameter-of-error.ts';

const response = { code: 'X', error: 'E', body: {}, traceId: undefined, retryAfterMs: undefined };
const names = ['a', 'amount', 'order'];
const errorsOf = (status: number, details: string) =>
  Object.fromEntries(parameterErrors(new RestError({ ...response, status, details }), names));

test('an error of the request is at the parameter that its details name', () => {
  expect(errorsOf(400, 'Invalid parameter value for amount')).toEqual({ amount: 'Invalid parameter value for amount' });
  expect(errorsOf(400, 'Query parameter a not found')).toEqual({ a: 'Query parameter a not found' });
  expect(errorsOf(400, 'amounts are bad')).toEqual({});
  expect(errorsOf(404, 'order')).toEqual({});
});

test('violated rules are at their parameters, also rules of members', () => {
  const items = ['quote.amount', 'quote.order.lines[0]', 'quote.<return value>'].map((path) => ({
    path,
    message: `bad ${path}`,
    messageTemplate: '',
    invalidValue: null,
  }));
  expect(
    Object.fromEntries(parameterErrors(new ValidationError({ ...response, status: 400, details: '' }, items), names)),
  ).toEqual({ amount: 'Bad quote.amount', order: 'Bad quote.order.lines[0]' });
});

test('mistakes in fields of the page need no message, others do', () => {
  const errorAt = (path: string) =>
    new ValidationError({ ...response, status: 400, details: '' }, [
      { path, message: 'must be set', messageTemplate: '', invalidValue: null },
    ]);
  expect(['amount', 'order.lines[0]', 'other'].map((path) => isAtFields(errorAt(path), names))).toEqual([
    true,
    true,
    false,
  ]);
  expect(isAtFields(new Error('amount'), names)).toBe(false);
});
