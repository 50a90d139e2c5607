import { CODINGS, chooseCoding } from './choose-coding.ts';

const choose = (header: string | undefined) => chooseCoding(header, CODINGS).coding;

test.each([
  [undefined, undefined],
  ['', undefined],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0.5, zstd;q=0.9', 'gzip'],
  ['gzip;q=0.5,br;q=0.5', 'br'],
  ['gzip ; q=0.001', 'gzip'],
  ['*', 'zstd'],
  ['*;q=0.5, zstd;q=0', 'br'],
  ['br;q=0, *', 'zstd'],
  ['deflate, compress', undefined],
  ['gzip;q=0', undefined],
  ['*;q=0', undefined],
  ['identity', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip', 'gzip'],
  ['identity, gzip', 'gzip'],
  ['gzip;q=2', undefined],
  ['gzip;q=x', undefined],
  ['gzip;q=0.1234', undefined],
  [', gzip,,', 'gzip'],
  ['gzip;foo=1;q=0.3, br;q=0.2', 'gzip'],
])('Accept-Encoding %j chooses %s', (header, coding) => {
  expect(choose(header)).toBe(coding);
});

test('only what is offered is chosen', () => {
  expect(chooseCoding('gzip, br, zstd', ['gzip'])).toEqual({ coding: 'gzip', refusesIdentity: false });
  expect(chooseCoding('br', ['gzip'])).toEqual({ coding: undefined, refusesIdentity: false });
});

test.each([
  ['gzip, identity;q=0', true],
  ['gzip, *;q=0', true],
  ['gzip, *;q=0, identity', false],
  ['gzip', false],
])('%j refuses bytes as they are: %s', (header, refuses) => {
  expect(chooseCoding(header, CODINGS).refusesIdentity).toBe(refuses);
});
