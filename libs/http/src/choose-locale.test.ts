import { chooseLocale } from './choose-locale.ts';

const AVAILABLE = ['en', 'de', 'zh_CN'];

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
