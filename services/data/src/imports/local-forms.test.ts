import { createFormFinder, exactCell, type LocalForms } from './local-forms.ts';
import type { ImportColumn } from './map-columns.ts';

const NUMBER: ImportColumn = { column: 'price', path: ['price'], kind: 'plain', isNumber: true };
const DAY: ImportColumn = { column: 'day', path: ['day'], kind: 'plain', temporal: 'date' };
const STAMP: ImportColumn = { column: 'at', path: ['at'], kind: 'plain', temporal: 'dateTime' };
const TIME: ImportColumn = { column: 'at', path: ['at'], kind: 'plain', temporal: 'time' };
const FLAG: ImportColumn = { column: 'flag', path: ['flag'], kind: 'plain', isBoolean: true };
const found = (column: ImportColumn, cells: readonly string[], given: LocalForms = {}) => {
  const finder = createFormFinder(given);
  for (const cell of cells) finder.look(column, cell);
  return finder.found();
};

test.each<[ImportColumn, string[], LocalForms]>([
  [NUMBER, ['1.5', '1234'], { decimal: '.' }],
  [NUMBER, ['1,234.50'], { decimal: '.' }],
  [NUMBER, ['1.234', '5,5'], { decimal: ',' }],
  [NUMBER, ["1'234.50-"], { decimal: '.' }],
  [NUMBER, ['1 234,5'], { decimal: ',' }],
  [NUMBER, ['1.234.567'], { decimal: ',' }],
  [NUMBER, ['1.234', '12'], {}],
  [{ ...NUMBER, isInteger: true }, ['1,234'], { decimal: '.' }],
  [NUMBER, ['.097'], { decimal: '.' }],
  [NUMBER, [',5'], { decimal: ',' }],
  [DAY, ['03.04.2026'], { dateOrder: 'dmy' }],
  [DAY, ['03/04/2026', '13/04/2026'], { dateOrder: 'dmy' }],
  [STAMP, ['3/14/2026 10:00', '01/01/2026'], { dateOrder: 'mdy' }],
  [DAY, ['2026-04-03', '20260403'], {}],
])('the form of %j with %j is %j', (column, cells, forms) => {
  expect(found(column, cells)).toEqual({
    forms: { decimal: undefined, dateOrder: undefined, ...forms },
    mistake: undefined,
  });
});

test.each<[ImportColumn, string[], string]>([
  [
    NUMBER,
    ['1,234'],
    "'1,234' in column 'price' may be a fraction or thousands: the parameter 'decimal' names the sign",
  ],
  [NUMBER, ['1.5', '2,5'], "'1.5' in column 'price' has a decimal point, '2,5' in column 'price' a decimal comma"],
  [DAY, ['03/04/2026'], "'03/04/2026' in column 'day' may begin with the day or the month"],
  [DAY, ['13/04/2026', '04/13/2026'], "'13/04/2026' in column 'day' begins with the day"],
])('%j with %j is not clear', (column, cells, mistake) => {
  expect(found(column, cells).mistake).toContain(mistake);
  expect(found(column, cells, { decimal: ',', dateOrder: 'dmy' }).mistake).toBeUndefined();
});

test('a mistake repeats the beginning of a long cell alone', () => {
  expect(found(NUMBER, ['1.5', `1,${'5'.repeat(1_000_000)}`]).mistake?.length).toBeLessThan(1_000);
});

test.each<[ImportColumn, string, LocalForms, string]>([
  [NUMBER, '1.234,50', { decimal: ',' }, '1234.50'],
  [NUMBER, '-0,5', { decimal: ',' }, '-0.5'],
  [NUMBER, '1.234,50-', { decimal: ',' }, '-1234.50'],
  [NUMBER, '1.234', { decimal: ',' }, '1234'],
  [NUMBER, '1.5', { decimal: ',' }, '1.5'],
  [NUMBER, '1,234,567.8', { decimal: '.' }, '1234567.8'],
  [NUMBER, '1.234', {}, '1.234'],
  [NUMBER, '1e3', {}, '1e3'],
  [NUMBER, '-.097', {}, '-0.097'],
  [NUMBER, ',5', { decimal: ',' }, '0.5'],
  [NUMBER, '1,5', {}, '1,5'],
  [NUMBER, '12 %', { decimal: ',' }, '12 %'],
  [DAY, '3.4.2026', { dateOrder: 'dmy' }, '2026-04-03'],
  [DAY, '3/4/2026', { dateOrder: 'mdy' }, '2026-03-04'],
  [DAY, '20260403', {}, '2026-04-03'],
  [DAY, '2026/4/3', {}, '2026-04-03'],
  [DAY, '2026-04-03', {}, '2026-04-03'],
  [DAY, '03.04.26', {}, '03.04.26'],
  [STAMP, '3.4.2026 9:05', { dateOrder: 'dmy' }, '2026-04-03T09:05:00'],
  [STAMP, '03.04.2026', { dateOrder: 'dmy' }, '2026-04-03T00:00:00'],
  [STAMP, '2026-04-03T09:05:00', {}, '2026-04-03T09:05:00'],
  [STAMP, '2026-04-03 09:05:00.123', {}, '2026-04-03T09:05:00.123'],
  [FLAG, 'WAHR', {}, 'true'],
  [FLAG, 'Nein', {}, 'false'],
  [FLAG, 'Y', {}, 'true'],
  [FLAG, '0', {}, 'false'],
  [TIME, '4:14:00', {}, '04:14:00'],
  [TIME, '14:57', {}, '14:57'],
  [FLAG, 'maybe', {}, 'maybe'],
])('%j: %s in the form %j is %s', (column, cell, forms, expected) => {
  expect(exactCell(column, cell, forms)).toBe(expected);
});
