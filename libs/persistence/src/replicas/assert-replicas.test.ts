import { assertReplicas } from './assert-replicas.ts';

const primaryUrl = 'postgres://u:secret@db-1/shop';
const check = (urls: readonly string[], maxLagMs = 10_000) => assertReplicas({ primaryUrl, urls, maxLagMs });

test('other servers are accepted, with any login and parameters', () => {
  expect(() => check(['postgres://r:secret@db-2/shop', 'postgresql://db-3:5433/shop?sslmode=require'])).not.toThrow();
});

test.each([
  ['no URL', ['db-2:5432'], /read-urls\[0\] is not a PostgreSQL URL/],
  [
    'another kind of URL',
    ['postgres://db-2/shop', 'http://secret@db-3/shop'],
    /read-urls\[1\] is not a PostgreSQL URL/,
  ],
  [
    'the primary',
    ['postgres://reader:secret@DB-1:5432/shop'],
    /read-urls\[0\] leads to the database of svc\.datasource\.url/,
  ],
  ['the primary by a parameter', ['postgres://u:secret@db-9/shop?host=db-1'], /leads to the database of/],
  [
    'one twice',
    ['postgres://db-2/shop', 'postgres://u:secret@db-2:5432/shop?a=b'],
    /read-urls\[1\] is the same as \[0\]/,
  ],
])('%s is refused by its number, and without its address', (_what, urls, message) => {
  expect(() => check(urls)).toThrow(message);
  expect(() => check(urls)).not.toThrow(/secret/);
});

test.each([499, 300_001])('a greatest lag of %i ms is refused', (maxLagMs) => {
  expect(() => check([], maxLagMs)).toThrow('svc.datasource.max-replica-lag must be from 500ms to 5m');
});
