import { chooseLanguage, directionOf } from './languages.ts';

test.each([
  [null, ['de-AT', 'en'], 'de'],
  [null, ['fr', 'de'], 'de'],
  [null, ['fr'], 'en'],
  ['en', ['de'], 'en'],
  ['xx', ['de'], 'de'],
  [null, ['zh-CN'], 'zh-CN'],
  [null, ['zh'], 'zh-CN'],
])('the choice %s with the languages %j of the browser is %s', (chosen, preferred, expected) => {
  expect(chooseLanguage(chosen, preferred, ['de', 'en', 'zh-CN'])).toBe(expected);
});

test.each([
  ['ar', 'rtl'],
  ['he-IL', 'rtl'],
  ['de', 'ltr'],
] as const)('%s is written %s', (locale, direction) => {
  expect(directionOf(locale)).toBe(direction);
});
