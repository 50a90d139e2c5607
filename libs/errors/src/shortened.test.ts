import { shortened } from './shortened.ts';

test.each([
  ['a text of the greatest length stays', 'x'.repeat(200), 'x'.repeat(200)],
  ['a longer text ends with an ellipsis', 'x'.repeat(201), `${'x'.repeat(200)}…`],
  ['no character is divided', `${'x'.repeat(199)}😀x`, `${'x'.repeat(199)}…`],
])('%s', (_, text, expected) => {
  expect(shortened(text)).toBe(expected);
});
