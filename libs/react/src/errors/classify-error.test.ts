import { NetworkError, RestError, ValidationError } from '@lintel/client';
import { classifyError } from './classify-error.ts';
import { violationsOf } from './violations-of.ts';

const response = {
  code: 'X',
  error: 'Short',
  details: 'Long',
  body: undefined,
  traceId: 't1',
  retryAfterMs: undefined,
};

test.each([
  [403, 'forbidden'],
  [404, 'notFound'],
  [409, 'conflict'],
  [412, 'conflict'],
  [429, 'busy'],
  [503, 'busy'],
  [500, 'server'],
  [418, 'refused'],
] as const)('%i is %s', (status, kind) => {
  expect(classifyError(new RestError({ ...response, status }))).toEqual({
    kind,
    details: 'Short: Long',
    code: 'X',
    trace: 't1',
  });
});

test('failures without a response', () => {
  expect(classifyError(new NetworkError('GET /x: refused', new Error('refused')))).toMatchObject({ kind: 'network' });
  expect(classifyError(new Error('Oh'))).toEqual({ kind: 'unexpected', details: 'Oh', code: '', trace: undefined });
});

test('violations belong to attributes, the first message of each', () => {
  const items = [
    { path: 'name', message: 'may not be null' },
    { path: 'lines[0].quantity', message: 'must be positive' },
    { path: 'lines[1].price', message: 'is too high' },
  ].map((item) => ({ ...item, messageTemplate: '', invalidValue: null }));
  const error = new ValidationError({ ...response, status: 400 }, items);
  expect([...violationsOf(error)]).toEqual(
    expect.arrayContaining([
      ['name', 'may not be null'],
      ['lines', 'must be positive'],
    ]),
  );
  expect(violationsOf(new Error('x')).size).toBe(0);
});
