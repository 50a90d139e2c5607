import { formatTemporal } from './format-temporal.ts';

test.each([
  ['2026-11-05', 'dd/MM/yyyy', '05/11/2026'],
  ['2026-11-05', 'd.M.yy', '5.11.26'],
  ['2026-11-05', 'd MMMM yyyy', '5 November 2026'],
  ['2026-11-05', 'EEE, d MMM', 'Thu, 5 Nov'],
  ['2026-11-05', 'EEEE', 'Thursday'],
  ['2026-11-05T14:07:09.120', 'dd/MM/yyyy HH:mm:ss.SSS', '05/11/2026 14:07:09.120'],
  ['2026-11-05T14:07', "yyyy-MM-dd'T'HH:mm:ss", '2026-11-05T14:07:00'],
  ['2026-11-05T00:07:00', 'h:mm a', '12:07 AM'],
  ['2026-11-05T12:07:00', 'hh:mm a', '12:07 PM'],
  ['14:07:09', 'HH:mm', '14:07'],
  ['2026-11-05T14:07:09+01:00', 'HH:mm Z', '14:07 +0100'],
  ['2026-11-05T14:07:09Z', 'HH:mm Z XXX', '14:07 +0000 Z'],
  ['2026-11-05', "'it''s' yyyy", "it's 2026"],
  ['infinity', 'dd/MM/yyyy', 'infinity'],
  ['-infinity', 'dd/MM/yyyy HH:mm', '-infinity'],
  ['0044-03-15 BC', 'dd/MM/yyyy', '15/03/0044 BC'],
  ['0044-03-15T10:00:00.000Z BC', 'dd/MM/yyyy HH:mm Z', '15/03/0044 10:00 +0000 BC'],
  ['0044-03-15 BC', 'EEEE', 'Friday'],
  ['0044-03-15', 'EEEE', 'Tuesday'],
  ['294275-01-01', 'EEE, d MMM y', 'Fri, 1 Jan 294275'],
])('%s as %s is %s', (iso, pattern, expected) => {
  expect(formatTemporal(iso, pattern, 'en')).toBe(expected);
});

test('names months in the language of the locale', () => {
  expect(formatTemporal('2026-03-05', 'd. MMMM yyyy', 'de')).toBe('5. März 2026');
});

test('refuses a time of a date, a date of a time, and unknown letters', () => {
  expect(() => formatTemporal('2026-11-05', 'HH:mm', 'en')).toThrow('cannot be formatted');
  expect(() => formatTemporal('14:07', 'dd', 'en')).toThrow('cannot be formatted');
  expect(() => formatTemporal('2026-11-05', 'qq', 'en')).toThrow('unknown letter q');
  expect(() => formatTemporal('soon', 'dd', 'en')).toThrow('no date or time');
});
