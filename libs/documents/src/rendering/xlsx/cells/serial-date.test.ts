import type { TemporalKind } from '@lintel/metadata';
import { serialOf } from './serial-date.ts';

// Asserts contract/report-templates.md#xlsx.
test.each<[string, TemporalKind, string | undefined, string | undefined]>([
  ['1900-01-01', 'date', '1', undefined],
  ['1900-02-28', 'date', '59', undefined],
  ['1900-03-01', 'date', '61', undefined],
  ['1904-01-01', 'date', '1462', '0'],
  ['2026-11-21', 'date', '46347', '44885'],
  ['2026-11-21T12:00:00', 'dateTime', '46347.5', '44885.5'],
  ['2026-11-21T18:30:15.250', 'dateTime', '46347.7710098380', '44885.7710098380'],
  ['06:00:00', 'time', '0.25', '0.25'],
  ['1899-12-31', 'date', undefined, undefined],
  ['0044-03-15', 'date', undefined, undefined],
  ['0044-03-15 BC', 'date', undefined, undefined],
  ['infinity', 'date', undefined, undefined],
  ['2026-11-21T12:00:00+02:00', 'offsetDateTime', undefined, undefined],
  ['no date', 'date', undefined, undefined],
])('%s, a %s, is the day %s, or %s in the calendar of 1904', (text, kind, of1900, of1904) => {
  expect(serialOf(text, kind, false)).toBe(of1900?.replace(/0$/, (zero) => (of1900.includes('.') ? '' : zero)));
  expect(serialOf(text, kind, true)).toBe(of1904?.replace(/0$/, (zero) => (of1904.includes('.') ? '' : zero)));
});
