import { perLocale } from './per-locale.ts';

test('what a language needs is made once for each language', () => {
  const made: string[] = [];
  const formatOf = perLocale((locale) => {
    made.push(locale);
    return new Intl.NumberFormat(locale);
  });
  const first = formatOf('de');
  expect(formatOf('en').format(1234.5)).toBe('1,234.5');
  expect(formatOf('de')).toBe(first);
  expect(made).toEqual(['de', 'en']);
});
