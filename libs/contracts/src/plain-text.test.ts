import { isPlainText, isVisibleName } from './plain-text.ts';

test.each(['Billing', 'Büro 2', '请求', '👩‍🚀', 'می‌خواهم'])('%j is plain and visible', (text) => {
  expect([isPlainText(text), isVisibleName(text)]).toEqual([true, true]);
});

// Asserts contract/clients.md#members.
test.each(['a\u0000', 'a\nb', '\ud800', '\udc00a', 'shop \u202etxt.exe', '\u2066a', 'a\u200f'])(
  '%j is neither',
  (text) => {
    expect([isPlainText(text), isVisibleName(text)]).toEqual([false, false]);
  },
);

test.each(['', ' ', '\u200d', 'a\u200b', '\ufeffa', 'a\u2028b', '\u3164', 'a\u{e0041}'])(
  '%j is not visible',
  (text) => {
    expect(isVisibleName(text)).toBe(false);
  },
);
