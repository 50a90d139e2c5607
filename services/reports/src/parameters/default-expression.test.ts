import type { ReportParameter } from '@lintel/application';
import { momentText, timeZoneOf } from './default-expression.ts';

/** Saturday, 22:30 in UTC; Sunday, 11:30 in Auckland. */
const NOW = Date.UTC(2026, 10, 28, 22, 30, 15);
const textOf = (expression: string, type: ReportParameter['type'] = 'DATE', timeZone = 'UTC', now = NOW): string =>
  momentText(expression, type, { now, timeZone });

// Asserts contract/reports.md#report-info.
test.each([
  ['today', '2026-11-28'],
  ['today-7', '2026-11-21'],
  ['now+1', '2026-11-29'],
  ['startOfDay', '2026-11-28'],
  ['endOfDay+2', '2026-11-30'],
  ['startOfWeek', '2026-11-23'],
  ['endOfWeek', '2026-11-29'],
  ['startOfWeek-1', '2026-11-16'],
  ['startOfMonth', '2026-11-01'],
  ['endOfMonth', '2026-11-30'],
  ['endOfMonth+3', '2027-02-28'],
  ['startOfMonth-11', '2025-12-01'],
  ['startOfQuarter', '2026-10-01'],
  ['endOfQuarter-1', '2026-09-30'],
  ['startOfYear', '2026-01-01'],
  ['endOfYear+1', '2027-12-31'],
])('%s is %s', (expression, expected) => {
  expect(textOf(expression)).toBe(expected);
});

test('a DATETIME begins with the first moment of a period, and ends with the last one', () => {
  expect(textOf('startOfMonth', 'DATETIME')).toBe('2026-11-01T00:00:00');
  expect(textOf('endOfMonth', 'DATETIME')).toBe('2026-11-30T23:59:59.999');
  expect(textOf('now', 'DATETIME')).toBe('2026-11-28T22:30:15');
  expect(textOf('now', 'TIME')).toBe('22:30:15');
});

// Asserts contract/reports.md#report-info.
test('days are those of the time zone of the caller, also where the clock changes', () => {
  expect(textOf('today', 'DATE', 'Pacific/Auckland')).toBe('2026-11-29');
  expect(textOf('endOfWeek', 'DATETIME', 'Pacific/Auckland')).toBe('2026-11-29T23:59:59.999');
  const summer = Date.UTC(2026, 2, 29, 12);
  expect(textOf('startOfDay', 'DATETIME', 'Europe/Berlin', summer)).toBe('2026-03-29T00:00:00');
  expect(textOf('now', 'DATETIME', 'Europe/Berlin', summer)).toBe('2026-03-29T14:00:00');
});

test('the zone is that of the user, else of the server', () => {
  expect(timeZoneOf({ attributes: { timeZoneId: 'Europe/Berlin' } })).toBe('Europe/Berlin');
  const ofServer = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const timeZoneId of ['Mars/Olympus', '', null, 7])
    expect(timeZoneOf({ attributes: { timeZoneId } })).toBe(ofServer);
});
