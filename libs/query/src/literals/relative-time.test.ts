import type { Datatype } from '@lintel/metadata';
import type { ExactObject } from '../json/exact-json.ts';
import { relativeTime } from './relative-time.ts';

const read = (datatype: Datatype, value: object, now = '2026-03-31T22:30:15.500Z'): string | undefined =>
  relativeTime({ kind: 'datatype', datatype }, value as ExactObject, new Date(now), (name = 'Europe/Berlin') =>
    name === 'Nowhere' ? undefined : name,
  );

// Asserts contract/filters.md#relative.
test.each<[Datatype, object, string]>([
  ['offsetDateTime', { now: 'P0D' }, '2026-03-31T22:30:15.500Z'],
  ['offsetDateTime', { now: '-PT90M' }, '2026-03-31T21:00:15.500Z'],
  ['localDateTime', { now: '+PT1S' }, '2026-03-31T22:30:16.500'],
  ['localDate', { now: 'P0D' }, '2026-04-01'],
  ['localDate', { now: '-P1M' }, '2026-03-01'],
  ['localDate', { now: '-P1M1D', timeZone: 'UTC' }, '2026-02-27'],
  ['date', { now: '-P1Y1W', timeZone: 'America/New_York' }, '2025-03-24'],
  ['offsetDateTime', { startOf: 'minute' }, '2026-03-31T22:30:00.000Z'],
  ['offsetDateTime', { startOf: 'hour', timeZone: 'Asia/Kolkata' }, '2026-03-31T22:30:00.000Z'],
  ['offsetDateTime', { startOf: 'day' }, '2026-03-31T22:00:00.000Z'],
  ['localDate', { startOf: 'week' }, '2026-03-30'],
  ['localDate', { startOf: 'month' }, '2026-04-01'],
  ['localDate', { startOf: 'month', timeZone: 'UTC', plus: '-P1M' }, '2026-02-01'],
  ['localDate', { startOf: 'quarter', timeZone: 'UTC' }, '2026-01-01'],
  ['localDateTime', { startOf: 'year', plus: 'P1YT6H' }, '2027-01-01T05:00:00.000'],
  ['offsetDateTime', { startOf: 'day', plus: '-P3D' }, '2026-03-28T23:00:00.000Z'],
])('a %s: %j is %s', (datatype, value, expected) => {
  expect(read(datatype, value)).toBe(expected);
});

test('the clock is set forward in the night: the missing hour becomes the next one, and a day has 23 hours', () => {
  expect(read('offsetDateTime', { startOf: 'day', plus: 'PT2H30M' }, '2026-03-29T12:00:00Z')).toBe(
    '2026-03-29T01:30:00.000Z',
  );
  expect(read('offsetDateTime', { now: 'P1D' }, '2026-03-28T01:30:00Z')).toBe('2026-03-29T01:30:00.000Z');
  expect(read('offsetDateTime', { startOf: 'day', plus: 'P1D' }, '2026-03-29T12:00:00Z')).toBe(
    '2026-03-29T22:00:00.000Z',
  );
});

// Asserts contract/filters.md#relative.
test.each<[Datatype, object]>([
  ['localDate', { now: '-7d' }],
  ['localDate', { now: 'P' }],
  ['localDate', { now: 'PT' }],
  ['localDate', { now: 'P1.5D' }],
  ['localDate', { now: 'P123456D' }],
  ['localDate', { now: 'P9999Y' }],
  ['localDate', { now: 7 }],
  ['localDate', { now: 'P1D', plus: 'P1D' }],
  ['localDate', { now: 'P1D', startOf: 'day' }],
  ['localDate', { now: 'P1D', timeZone: 'Nowhere' }],
  ['localDate', { now: 'P1D', timeZone: 1 }],
  ['localDate', { now: 'P1D', other: 1 }],
  ['localDate', { startOf: 'second' }],
  ['localDate', { startOf: 'constructor' }],
  ['localDate', { plus: 'P1D' }],
  ['localTime', { now: 'PT1H' }],
  ['string', { now: 'PT1H' }],
])('a %s: %j is refused', (datatype, value) => {
  expect(read(datatype, value)).toBeUndefined();
});
