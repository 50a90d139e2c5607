import { readableContent } from './dead-letter.ts';

test('an event is shown with line breaks, and what is none as it is', () => {
  expect(readableContent('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(readableContent('{"a":')).toBe('{"a":');
});
