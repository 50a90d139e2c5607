import { suggestion } from './suggestion.ts';

test.each([
  ['vni', ['vin', 'brand'], '; did you mean vin?'],
  ['GARAGE_CAR', ['garage_Car'], '; did you mean garage_Car?'],
  ['x', ['owner'], ''],
  ['custmer', ['customers', 'customer'], '; did you mean customer?'],
  ['anything', [], ''],
])('the suggestion for %s among %j is "%s"', (name, known, expected) => {
  expect(suggestion(name, known)).toBe(expected);
});
