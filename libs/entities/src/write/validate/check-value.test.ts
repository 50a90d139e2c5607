import {
  type AttributeBuilders,
  bigInteger,
  buildModel,
  decimal,
  elements,
  entityOf,
  integer,
  keyedEntity,
  localDate,
  string,
  text,
  toOne,
} from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import { writeModelOf } from '../model/write-model.ts';
import type { RuleText } from '../values/messages.ts';
import type { Value } from '../values/value.ts';
import { checkElements, checkSlot } from './check-value.ts';

const NOW = '2026-11-21T10:20:30.400';

const layoutWith = (attributes: AttributeBuilders) => {
  const model = buildModel({
    entities: [keyedEntity('t_A', { key: 'id', attributes: { id: string(9), ...attributes } })],
  });
  return writeModelOf(model).of(entityOf(model, 't_A'));
};
const attributes = {
  code: string(3),
  strict: string(3).size(1, 2),
  loose: string(3).size(1, 9),
  free: text(),
  name: string(9).notBlank(),
  price: decimal(5, 2),
  amount: decimal(5, 2).max('10'),
  big: bigInteger(),
  count: integer().min(1),
  day: localDate().past(),
  next: toOne('t_A'),
};
const layout = layoutWith(attributes);

/** `Size(min=0, max=3)`: the constraints that are violated. */
const shown = ({ messageTemplate, parameters }: RuleText): string => {
  const name = /constraints\.(\w+)\.message/.exec(messageTemplate)?.[1] ?? messageTemplate;
  const given = Object.entries(parameters).map(([key, value]) => `${key}=${value}`);
  return given.length === 0 ? name : `${name}(${given.join(', ')})`;
};
function violations(path: keyof typeof attributes, value: Value, isMandatory = false): readonly string[] {
  const slot = layout.slots.get(path);
  if (slot === undefined) throw new Error(path);
  return checkSlot(slot, value, value, isMandatory, NOW).map(shown);
}

test.each<[keyof typeof attributes, Value, readonly string[]]>([
  ['code', 'abc', []],
  ['code', 'abcd', ['Size(min=0, max=3)']],
  ['code', '\u{1F69A}\u{1F69A}\u{1F69A}', []],
  ['strict', 'abcd', ['Size(min=1, max=2)']],
  ['loose', 'abcd', ['Size(min=0, max=3)']],
  ['loose', 'a'.repeat(10), ['Size(min=1, max=9)', 'Size(min=0, max=3)']],
  ['free', 'a'.repeat(10_000), []],
  ['name', ' ', ['NotBlank']],
  ['price', '999.99', []],
  ['price', '-999.99', []],
  ['price', '999.990', []],
  ['price', '1000', ['Digits(integer=3, fraction=2)']],
  ['price', '0.001', ['Digits(integer=3, fraction=2)']],
  ['amount', '1000.001', ['DecimalMax(value=10, inclusive=true)', 'Digits(integer=3, fraction=2)']],
  ['big', '9'.repeat(38), []],
  ['big', '9'.repeat(39), ['Digits(integer=38, fraction=0)']],
  ['count', 0, ['DecimalMin(value=1, inclusive=true)']],
  ['count', 1, []],
  ['day', '2026-11-20', []],
  ['day', '2026-11-21', ['Past']],
  ['next', { key: canonicalKey(['a']) }, []],
])('%s %j violates %j', (path, value, expected) => {
  expect(violations(path, value)).toEqual(expected);
});

test('null violates nothing but that a value is mandatory and not blank', () => {
  for (const path of Object.keys(attributes) as (keyof typeof attributes)[])
    expect(violations(path, null)).toEqual(path === 'name' ? ['NotBlank'] : []);
  expect(violations('count', null, true)).toEqual(['NotNull']);
  expect(violations('name', null, true)).toEqual(['NotNull', 'NotBlank']);
  expect(violations('next', null, true)).toEqual(['NotNull']);
});

test.each<[string, AttributeBuilders, readonly string[], readonly string[]]>([
  ['of the right length keep all rules', { all: elements(2) }, ['a', 'bb'], []],
  [
    'that are too long are named by their index',
    { all: elements(2) },
    ['a', 'bbb', 'ccc'],
    ['1 Size(min=0, max=2)', '2 Size(min=0, max=2)'],
  ],
  ['that must be there are missed as a whole', { all: elements(2).mandatory() }, [], ['undefined NotNull']],
  [
    'may be too few as a whole',
    { all: elements(2).size(2, 3) },
    ['bbb'],
    ['undefined Size(min=2, max=3)', '0 Size(min=0, max=2)'],
  ],
  ['of any length are not measured', { all: elements() }, ['a'.repeat(1_000)], []],
])('elements %s', (_, given, values, expected) => {
  const [attribute] = layoutWith(given).elements;
  if (attribute === undefined) throw new Error('No elements');
  expect(checkElements(attribute, values, NOW).map(({ index, text: found }) => `${index} ${shown(found)}`)).toEqual(
    expected,
  );
});
