import { chooseLocale, requestedLocale } from './choose-locale.ts';

const AVAILABLE = ['en', 'de', 'zh_CN'];

// Asserts contract/conventions.md#endpoints, contract/conventions.md#locale, contract/decisions.md#27,
// contract/tokens.md#anonymous.
test.each([
  ['zh-cn', 'de', 'zh_CN'],
  ['zh-CN', null, 'zh_CN'],
  ['zh', null, 'zh_CN'],
  ['de-AT', 'en', 'de'],
  ['fr, en;q=0.5', 'de', 'en'],
  ['en;q=0.3, de;q=0.8', null, 'de'],
  ['de;q=0', null, 'en'],
  ['xx', 'de', 'de'],
  ['*', 'de', 'de'],
  ['', 'de', 'de'],
  [undefined, 'de', 'de'],
  [undefined, 'zh-CN', 'zh_CN'],
  [undefined, 'fr', 'en'],
  [undefined, null, 'en'],
])('Accept-Language %p of a user with %p chooses %s', (header, own, expected) => {
  expect(chooseLocale(header, own, AVAILABLE)).toBe(expected);
});

describe('the locale that a request asks for', () => {
  test.each([
    ['de', 'de'],
    ['zh-cn', 'zh_CN'],
    ['en-GB,de;q=0.5', 'en'],
    ['fr', null],
    ['*', null],
    ['', null],
    [undefined, null],
  ])('with Accept-Language %j is %j', (header, locale) => {
    expect(requestedLocale(header, ['en', 'de', 'zh_CN'])).toBe(locale);
  });
});
