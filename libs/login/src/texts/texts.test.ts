import { filled, loginTexts, TEXT_LOCALES } from './texts.ts';

/** Paths of all texts with the names in braces. */
const namesIn = (texts: object): readonly (readonly [path: string, names: string])[] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[key, [...value.matchAll(/\{\w+\}/g)].map(String).sort().join(' ')] as const]
      : namesIn(value).map(([path, names]) => [`${key}.${path}`, names] as const),
  );

test.each(TEXT_LOCALES)('the texts in %s have the values of the English ones', (locale) => {
  const sorted = (texts: object) => [...namesIn(texts)].sort(([one], [other]) => one.localeCompare(other));
  expect(sorted(loginTexts(locale.replace('_', '-')).texts)).toEqual(sorted(loginTexts('en').texts));
});

test('values stay as they are, whatever they contain', () => {
  expect(filled('{client}, {username}', { client: '{username} $&', username: 'a' })).toBe('{username} $&, a');
});

test.each([
  ['en', /until you log out$/],
  ['de', /bis Sie sich abmelden$/],
  ['zh-CN', /直到您退出登录$/],
])('in %s a client with offline_access keeps its access until the logout', (language, text) => {
  expect(loginTexts(language).texts.scopes.offline_access).toMatch(text);
});
