import { ForbiddenError, NetworkError, RestError, ValidationError } from '@lintel/client';
import { createText } from '../language/create-text.ts';
import { describeError } from './describe-error.ts';

const text = createText('en', {}, {});
const response = { status: 403, code: 'ACCESS_DENIED', error: 'Access denied', details: 'no', body: {}, traceId: 't1' };
const complete = { ...response, retryAfterMs: undefined };

test('an error of the service has its words, its code and its trace', () => {
  expect(describeError(new ForbiddenError(complete), text)).toEqual({
    title: 'error.forbidden',
    details: 'Access denied: no',
    code: 'ACCESS_DENIED',
    trace: 't1',
  });
});

test.each([
  [404, 'error.notFound'],
  [409, 'error.conflict'],
  [412, 'error.conflict'],
  [429, 'error.busy'],
  [500, 'error.server'],
  [400, 'error.refused'],
])('the status %i is %s', (status, title) => {
  expect(describeError(new RestError({ ...complete, status }), text).title).toBe(title);
});

test('a validation lists the violated rules', () => {
  const items = [{ message: 'may not be null', messageTemplate: '', path: 'name', invalidValue: null }];
  expect(describeError(new ValidationError({ ...complete, status: 400, error: '' }, items), text)).toMatchObject({
    title: 'error.validation',
    details: 'name may not be null',
  });
});

test('a failure of the network, and an error of the console itself, have codes too', () => {
  expect(describeError(new NetworkError('GET /rest'), text)).toMatchObject({ title: 'error.network', code: 'NETWORK' });
  expect(describeError(new TypeError('broken'), text)).toMatchObject({ title: 'error.unexpected', details: 'broken' });
});
