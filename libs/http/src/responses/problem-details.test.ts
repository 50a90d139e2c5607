import { PlatformError } from '@lintel/errors';
import { acceptsProblem, helpLink, problemOf } from './problem-details.ts';

test.each([
  ['application/problem+json', true],
  ['application/json, Application/Problem+JSON;q=0.9', true],
  ['application/problem+json;charset=utf-8', true],
  ['application/problem+json;q=0', false],
  ['application/problem+json; q=0.000', false],
  ['application/json', false],
  ['application/*+json', false],
  ['*/*', false],
  ['', false],
  [undefined, false],
])('Accept %p names the type of problems: %p', (accept, names) => {
  expect(acceptsProblem(accept)).toBe(names);
});

test('a problem has type, title, status, detail and code', () => {
  expect(problemOf(new PlatformError('REQ_INVALID_SORT', 'x'), 'x', 'trace')).toEqual({
    type: 'urn:lintel:error:REQ_INVALID_SORT',
    title: 'Invalid sort',
    status: 400,
    detail: 'x',
    code: 'REQ_INVALID_SORT',
    traceId: 'trace',
  });
});

test.each([
  ['/', '<./problems#X>; rel="help"'],
  ['/rest?a=/b/c', '<./problems#X>; rel="help"'],
  ['/rest/entities/a', '<../../problems#X>; rel="help"'],
])('the help for an error at %s is found below any prefix', (url, expected) => {
  expect(helpLink(url, 'X')).toBe(expected);
});
