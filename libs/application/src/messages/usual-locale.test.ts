import { isUsualLocale, localeProblem } from './known-locale.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

test('usual locales are languages and countries that exist', () => {
  const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const usualLanguages = PAIRS.filter(isUsualLocale);
  const usualCountries = PAIRS.map((code) => code.toUpperCase()).filter((code) => isUsualLocale(`en_${code}`));
  expect(usualLanguages.length).toBeGreaterThan(150);
  expect(usualCountries.length).toBeGreaterThan(200);
  expect(usualLanguages.filter((code) => languages.of(code) === undefined)).toEqual([]);
  expect(usualCountries.filter((code) => countries.of(code) === undefined)).toEqual([]);
});

test.each(['de', 'zh_CN', 'pt-BR'])('%s is usual', (locale) => expect(isUsualLocale(locale)).toBe(true));

test.each(['zh_Hans_CN', 'es_419', 'EN', 'fil'])('%s is not usual, and exists', (locale) => {
  expect(isUsualLocale(locale)).toBe(false);
  expect(localeProblem(locale)).toBeUndefined();
});

test.each(['de_XQ', 'xq', 'german', ''])('%s is not usual, and does not exist', (locale) => {
  expect(isUsualLocale(locale)).toBe(false);
  expect(localeProblem(locale)).toBeDefined();
});
