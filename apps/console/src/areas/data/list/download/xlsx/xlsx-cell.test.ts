import type { ValueKind } from '../../../values/value-kind.ts';
import { columnName, xlsxCell } from './xlsx-cell.ts';

const cell = (value: unknown, kind: ValueKind, text = String(value)): string => xlsxCell('A1', value, kind, () => text);
const textOf = (text: string, style = 0): string =>
  `<c r="A1" s="${style}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;

test.each<[unknown, ValueKind, string]>([
  ['-1234.50', 'number', '<c r="A1"><v>-1234.50</v></c>'],
  [12, 'number', '<c r="A1"><v>12</v></c>'],
  ['123456789012345', 'number', '<c r="A1"><v>123456789012345</v></c>'],
  ['12000000000000000000', 'number', '<c r="A1"><v>12000000000000000000</v></c>'],
  ['0.000000000000001', 'number', '<c r="A1"><v>0.000000000000001</v></c>'],
  [true, 'boolean', '<c r="A1" t="b"><v>1</v></c>'],
  [false, 'boolean', '<c r="A1" t="b"><v>0</v></c>'],
  ['2026-11-26', 'date', '<c r="A1" s="2"><v>46352</v></c>'],
  ['1900-03-01', 'date', '<c r="A1" s="2"><v>61</v></c>'],
  ['2026-11-26T18:00:00.000', 'dateTime', '<c r="A1" s="3"><v>46352.75</v></c>'],
  ['06:00:00', 'time', '<c r="A1" s="4"><v>0.25</v></c>'],
])('%j, a %s, is the cell %s', (value, kind, expected) => {
  expect(cell(value, kind)).toBe(expected);
});

test.each<[string, ValueKind]>([
  // Digits that a spreadsheet would lose.
  ['1234567890123456.7', 'number'],
  ['9223372036854775807', 'number'],
  ['0.1234567890123456789', 'number'],
  ['NaN', 'number'],
  // Days that spreadsheets do not have, or have wrong.
  ['1900-02-28', 'date'],
  ['0001-01-01', 'date'],
  ['1899-12-31T12:00:00', 'dateTime'],
  // With an offset, which a cell has not.
  ['2026-11-26T18:00:00+02:00', 'offsetDateTime'],
  ['2026-11-26', 'text'],
  ['12', 'text'],
])('%s, a %s, is a text', (value, kind) => {
  expect(cell(value, kind)).toBe(textOf(value));
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://x")'])('%s is a text, no formula', (value) => {
  const found = cell(value, 'text');
  expect(found).toBe(textOf(value.replaceAll('"', '&quot;'), 5));
  expect(found).not.toContain('<f');
});

test('what XML cannot have, or OOXML would read as an escape, is escaped', () => {
  expect(cell('a<b>&"\u0007_x0041_\uD800\n', 'text')).toBe(textOf('a&lt;b&gt;&amp;&quot;_x0007__x005F_x0041_\uFFFD\n'));
});

test('what is no single value is its text; nothing is no cell', () => {
  expect(cell({ id: 1 }, 'reference', 'Smith')).toBe(textOf('Smith'));
  expect(cell([1, 2], 'number', '1, 2')).toBe(textOf('1, 2'));
  expect([null, undefined, ''].map((value) => cell(value, 'text'))).toEqual(['', '', '']);
});

test('a text that is too long for a cell is cut', () => {
  expect(cell('x'.repeat(40_000), 'text')).toBe(textOf(`${'x'.repeat(32_766)}…`));
});

test('columns have names', () => {
  expect([0, 25, 26, 51, 52, 701, 702].map(columnName)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
});
