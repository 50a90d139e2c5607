import { isCompressible } from './create-compression.ts';

test.each([
  ['application/json', true],
  ['application/json;charset=UTF-8', true],
  ['Application/JSON ; charset=utf-8', true],
  ['application/problem+json', true],
  ['application/x-ndjson', true],
  ['text/csv', true],
  ['text/html; charset=utf-8', true],
  ['image/svg+xml', true],
  ['application/octet-stream', false],
  ['application/pdf', false],
  ['application/zip', false],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', false],
  ['image/png', false],
  ['text/event-stream;charset=utf-8', false],
  ['Text/Event-Stream', false],
  ['application/jsonx', false],
  ['', false],
])('%j is packed: %s', (type, expected) => {
  expect(isCompressible(200, { 'content-type': type })).toBe(expected);
});

test.each([204, 205, 206, 304, 100])('an answer with status %i is left as it is', (status) => {
  expect(isCompressible(status, { 'content-type': 'application/json' })).toBe(false);
});

test.each([
  { 'content-encoding': 'gzip' },
  { 'content-range': 'bytes 0-1/2' },
  { 'cache-control': 'private, no-transform' },
  { 'content-type': undefined },
  { 'repr-digest': 'sha-256=:AA==:' },
  { 'content-digest': 'sha-256=:AA==:' },
])('an answer with %j is left as it is', (headers) => {
  expect(isCompressible(200, { 'content-type': 'application/json', ...headers })).toBe(false);
});

test('errors are text too', () => {
  expect(isCompressible(400, { 'content-type': 'application/json' })).toBe(true);
});
