import { createText } from './create-text.ts';

const ENGLISH = { greeting: 'Hello, {name}', 'rows.one': '{count} row', 'rows.other': '{count} rows', only: 'English' };
const GERMAN = { greeting: 'Guten Tag, {name}', 'rows.one': '{count} Zeile', 'rows.other': '{count} Zeilen' };

test('placeholders have the values, numbers in the form of the language', () => {
  const text = createText('de', GERMAN, ENGLISH);
  expect(text('greeting', { name: 'Maria' })).toBe('Guten Tag, Maria');
  expect(text('rows', { count: 12345 })).toBe('12.345 Zeilen');
});

test.each([
  [0, '0 rows'],
  [1, '1 row'],
  [2, '2 rows'],
])('%i has its own form', (count, expected) => {
  expect(createText('en', ENGLISH, ENGLISH)('rows', { count })).toBe(expected);
});

test('a text that a language does not have is English, an unknown key is shown itself', () => {
  const text = createText('de', GERMAN, ENGLISH);
  expect(text('only')).toBe('English');
  expect(text('none.at.all')).toBe('none.at.all');
});

test('a placeholder without a value stays', () => {
  expect(createText('en', ENGLISH, ENGLISH)('greeting')).toBe('Hello, {name}');
});
