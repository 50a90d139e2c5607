import { RestError, ValidationError } from '@lintel/client';
import { parameterErrors } from './parameter-of-error.ts';

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

test('violated rules are at their parameters, those of members too', () => {
  const items = ['quote.amount', 'quote.order.lines[0]', 'quote.<return value>'].map((path) => ({
    path,
    message: `bad ${path}`,
    messageTemplate: '',
    invalidValue: null,
  }));
  expect(
    Object.fromEntries(parameterErrors(new ValidationError({ ...response, status: 400, details: '' }, items), names)),
  ).toEqual({ amount: 'bad quote.amount', order: 'bad quote.order.lines[0]' });
});
