import { readLocalTime, writeLocalTime } from './local-time.ts';

test.each(['2026-01-15T10:00:00.000Z', '2026-07-15T23:59:59.123Z'])(
  'the moment %s is the same in the local zone',
  (moment) => {
    expect(writeLocalTime(readLocalTime(moment))).toBe(moment);
  },
);

test('what is no moment is none', () => {
  expect(readLocalTime('')).toBe('');
  expect(readLocalTime('soon')).toBe('');
  expect(writeLocalTime('')).toBeUndefined();
});
