import { isPlainText } from './is-plain-text.ts';

test.each(['Billing', 'Büro 2', '请求', '👩‍🚀', 'می‌خواهم', ''])('%j is plain', (text) => {
  expect(isPlainText(text)).toBe(true);
});

test.each(['a\u0000', 'a\nb', '\ud800', '\udc00a', 'shop \u202etxt.exe', '\u2066a', 'a\u200f'])('%j is not', (text) => {
  expect(isPlainText(text)).toBe(false);
});
