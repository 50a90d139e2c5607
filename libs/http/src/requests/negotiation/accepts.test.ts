import type { IncomingMessage } from 'node:http';
import { acceptedType } from './accepted-type.ts';
import { accepts } from './accepts.ts';

const requestWith = (accept: string | undefined) =>
  ({ headers: accept === undefined ? {} : { accept } }) as unknown as IncomingMessage;

// Asserts contract/conventions.md#endpoints.
test.each([
  undefined,
  '*/*',
  'application/json',
  'application/json;charset=UTF-8',
  'application/json; charset=utf-8; q=0.5',
  'text/html, application/json;odata=verbose',
  'application/*;v="1,2"',
  'application/json; indent=4;q=1',
])('%j accepts JSON, with any parameters of the media range', (accept) => {
  expect(accepts(requestWith(accept), ['application/json'])).toBe(true);
});

// Asserts contract/conventions.md#endpoints.
test.each(['text/html', 'text/html;charset=utf-8', 'application/json;charset=utf-8;q=0', '*/*; q=0', 'json'])(
  '%j excludes JSON',
  (accept) => {
    expect(accepts(requestWith(accept), ['application/json'])).toBe(false);
  },
);

// Asserts contract/conventions.md#endpoints.
test('of several types the one with the higher weight is chosen, independent of the parameters', () => {
  const accept = 'application/json;charset=utf-8;q=0.1, text/plain;charset=utf-8';
  expect(accepts(requestWith(accept), ['application/json', 'text/plain'])).toBe(true);
  expect(acceptedType(requestWith(accept), ['application/json', 'text/plain'])).toBe('text/plain');
  expect(acceptedType(requestWith('image/png'), ['application/json', 'text/plain'])).toBeUndefined();
});
