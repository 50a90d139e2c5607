import { formatAge } from './format-age.ts';

test.each([
  [0, '0 sec'],
  [59, '59 sec'],
  [180, '3 min'],
  [7_200, '2 hr'],
  [172_800, '2 days'],
])('%s seconds', (seconds, text) => expect(formatAge(seconds, 'en')).toBe(text));
