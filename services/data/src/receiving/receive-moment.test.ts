import { momentOf } from './receive-moment.ts';

const received = (value: unknown) => momentOf({ query: { at: value } as never }, 'at');

test.each([
  ['2026-11-26T08:00:00Z', '2026-11-26T08:00:00.000Z'],
  ['2026-11-26T08:00:00.1239+01:00', '2026-11-26T07:00:00.123Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
])('%s is %s', (value, moment) => {
  expect(received(value)).toBe(moment);
});

test('an absent parameter is none', () => {
  expect(received(undefined)).toBeUndefined();
});

test.each([
  '',
  'x',
  '2026-11-26',
  '2026-11-26T08:00:00',
  '2026-13-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '1970-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  ['2026-11-26T08:00:00Z'],
])('%j is refused, naming the parameter', (value) => {
  expect(() => received(value)).toThrow(/: at must be a point in time from 1970 on/);
});
