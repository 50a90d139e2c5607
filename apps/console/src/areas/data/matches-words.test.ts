import { cases, fc } from '@lintel/testkit/properties';
import { matchesWords } from './matches-words.ts';

test.each([
  ['', true],
  ['   ', true],
  ['order', true],
  ['ORDER sales', true],
  ['purch ord', true],
  ['überweisung', true],
  ['order customer', false],
  ['order.', false],
  ['(', false],
])('the input %j is found: %s', (input, expected) => {
  expect(matchesWords(input, 'Purchase orders', 'sales_Order', 'Überweisung')).toBe(expected);
});

test('each word of a text finds it, in any order and case', () => {
  const words = fc.array(fc.stringMatching(/^[a-zäöü]{1,6}$/), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(words, (all) => matchesWords(all.toReversed().join('  ').toUpperCase(), all.join(' '))),
    cases(100),
  );
});
