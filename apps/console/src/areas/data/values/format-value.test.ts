import type { AttributeInfo } from '@lintel/client';
import { createText } from '../../../language/create-text.ts';
import { type Formats, formatNumber, formatValue } from './format-value.ts';

const formats: Formats = {
  locale: 'de',
  text: createText('de', { 'value.true': 'Ja', 'value.false': 'Nein' }, {}),
  enums: new Map([['Status', { name: 'Status', values: [{ name: 'NEW', id: 'N', caption: 'Neu' }] }]]),
};
const shown = (value: unknown, type: string, attributeType: AttributeInfo['attributeType'] = 'DATATYPE') =>
  formatValue(value, { name: 'a', type, attributeType } as AttributeInfo, formats);

test.each([
  ['12345678901234567890.10', 'de', '12.345.678.901.234.567.890,10'],
  ['-0.50', 'de', '-0,50'],
  ['1234.5', 'en', '1,234.5'],
  ['7', 'en', '7'],
  ['1e400', 'en', '1e400'],
])('the number %s has all of its digits in %s: %s', (value, locale, expected) => {
  expect(formatNumber(value, locale)).toBe(expected);
});

test('values have the form of the language', () => {
  expect(shown(true, 'boolean')).toBe('Ja');
  expect(shown('2026-11-26', 'localDate')).toBe('26.11.2026');
  expect(shown('2026-11-26T10:20:30.000', 'dateTime')).toBe('26.11.2026, 10:20:30');
  expect(shown('NEW', 'Status', 'ENUM')).toBe('Neu');
  expect(shown('OLD', 'Status', 'ENUM')).toBe('OLD');
});

test('a date that is none is shown as it is, nothing as an empty text', () => {
  expect(shown('someday', 'localDate')).toBe('someday');
  expect([shown(null, 'string'), shown(undefined, 'decimal')]).toEqual(['', '']);
});

test('instances are shown by their names, else by their ids', () => {
  expect(shown({ id: 7, _instanceName: 'Maria' }, 'Customer', 'ASSOCIATION')).toBe('Maria');
  expect(shown([{ id: 7 }, { id: { a: 1 } }], 'Customer', 'ASSOCIATION')).toBe('7, {"a":1}');
});
