import { ExactNumber } from '../../json/exact-json.ts';
import { parsePolicyCondition } from './parse-language.ts';
import { QuerySyntaxError } from './query-syntax-error.ts';

test('a comparison with a parameter', () => {
  expect(parsePolicyCondition('{E}.address.country = :current_user_country')).toEqual({
    kind: 'comparison',
    path: 'address.country',
    operator: '=',
    value: { kind: 'parameter', name: 'current_user_country' },
  });
});

test('and binds closer than or, not closer than and, parentheses closest', () => {
  const isNull = (path: string) => ({ kind: 'null', path, negated: false });
  const text = (name: string): string => `{E}.${name} is null`;
  expect(parsePolicyCondition(`${text('a')} or NOT ${text('b')} And ${text('c')}`)).toEqual({
    kind: 'or',
    conditions: [isNull('a'), { kind: 'and', conditions: [{ kind: 'not', condition: isNull('b') }, isNull('c')] }],
  });
  expect(parsePolicyCondition(`not (${text('a')} or ${text('b')})`)).toEqual({
    kind: 'not',
    condition: { kind: 'or', conditions: [isNull('a'), isNull('b')] },
  });
});

test('literals, lists, an alias and a value on the left', () => {
  expect(
    parsePolicyCondition("o.status not in ('NEW', 'it''s', :x) and 3.50 < o.amount and o.active = true", 'o'),
  ).toEqual({
    kind: 'and',
    conditions: [
      {
        kind: 'in',
        path: 'status',
        negated: true,
        values: [
          { kind: 'literal', value: 'NEW' },
          { kind: 'literal', value: "it's" },
          { kind: 'parameter', name: 'x' },
        ],
      },
      { kind: 'comparison', path: 'amount', operator: '>', value: { kind: 'literal', value: new ExactNumber('3.50') } },
      { kind: 'comparison', path: 'active', operator: '=', value: { kind: 'literal', value: true } },
    ],
  });
});

test.each([
  ['{E}.a =', 'the text ends (line 1, column 8)'],
  ['{E}.a = 1 {E}.b', 'found {E} (line 1, column 11)'],
  ['{E}.a = 1\nand ?', 'Unexpected "?" (line 2, column 5)'],
  ['{E}.a', 'Expected a condition, but found a value alone (line 1, column 1)'],
  ['({E}.a = 1) = 2', 'Expected a value, but found a condition (line 1, column 2)'],
  ['{E}.a in ()', 'found ) (line 1, column 11)'],
  ['', 'the text ends (line 1, column 1)'],
])('%j is refused with its place', (text, message) => {
  expect(() => parsePolicyCondition(text)).toThrow(QuerySyntaxError);
  expect(() => parsePolicyCondition(text)).toThrow(message);
});
