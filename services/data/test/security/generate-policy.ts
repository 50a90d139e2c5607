import { fc } from '@lintel/testkit/properties';

/** An attribute that policies of the test read, and values to compare it with. */
interface Operand {
  readonly path: string;
  readonly values: readonly string[];
  readonly isText?: boolean;
  readonly hasOrder?: boolean;
}

/** Ids of the owners in the test data. */
export const OWNERS = [1, 2, 3].map((at) => `7b3c2a10-0000-4000-8000-00000000000${at}`);

const OPERANDS: readonly Operand[] = [
  { path: '{E}.name', values: ["'a'", "'b'", "'A'", "''", "'ß%'"], isText: true },
  { path: '{E}.owner.name', values: ["'anna'", "'bert'", ':current_user_username'], isText: true },
  {
    path: '{E}.owner.address.country',
    values: ["'DE'", ':current_user_country', ':current_user_lastName'],
    isText: true,
  },
  { path: '{E}.owner', values: OWNERS.map((id) => `'${id}'`) },
  { path: '{E}.status', values: ["'NEW'", "'DONE'"] },
  { path: '{E}.count', values: ['0', '1', '2', '-1'], hasOrder: true },
  { path: '{E}.serial', values: ['9007199254740992', '9007199254740993', '-5'], hasOrder: true },
  { path: '{E}.price', values: ['10.5', '10.50', '10.51', '0'], hasOrder: true },
  { path: '{E}.weight', values: ['1.5', '0.1', '2'], hasOrder: true },
  { path: '{E}.day', values: ["'2026-11-21'", "'2026-02-28'"], hasOrder: true },
  { path: '{E}.at', values: ["'2026-11-21T10:00'", "'2026-11-21T10:00:00.500'"], hasOrder: true },
  { path: '{E}.time', values: ["'10:00'", "'23:59:59'"], hasOrder: true },
  { path: '{E}.isOpen', values: ['true', 'false'] },
];

const PATTERNS = ["'a%'", "'%a%'", "'_'", "'%'", "'ß!%' escape '!'"];

/** Number attributes of different types, which can be compared with each other. */
const NUMBERS = OPERANDS.filter(({ hasOrder, path }) => hasOrder && /count|serial|price/.test(path));

const test = fc.constantFrom(...OPERANDS).chain((operand) => {
  const value = fc.constantFrom(...operand.values);
  const operators = operand.hasOrder ? ['=', '<>', '<', '<=', '>', '>='] : ['=', '<>'];
  const tests = [
    fc.tuple(fc.constantFrom(...operators), value).map(([operator, given]) => `${operand.path} ${operator} ${given}`),
    fc.constantFrom('', ' not').map((not) => `${operand.path} is${not} null`),
    fc
      .tuple(fc.constantFrom('', ' not'), fc.array(value, { minLength: 1, maxLength: 3 }))
      .map(([not, given]) => `${operand.path}${not} in (${given.join(', ')})`),
  ];
  if (operand.hasOrder)
    tests.push(fc.tuple(value, value).map(([low, high]) => `${operand.path} between ${low} and ${high}`));
  if (operand.isText)
    tests.push(
      fc
        .tuple(fc.constantFrom('', ' not'), fc.constantFrom(...PATTERNS))
        .map(([not, pattern]) => `${operand.path}${not} like ${pattern}`),
      value.map((given) => `lower(${operand.path}) = ${given}`),
      value.map((given) => `coalesce(${operand.path}, 'a') <> ${given}`),
    );
  return fc.oneof(...tests);
});

const relation = fc
  .tuple(fc.constantFrom(...NUMBERS), fc.constantFrom('=', '<>', '<', '>='), fc.constantFrom(...NUMBERS))
  .map(([left, operator, right]) => `${left.path} ${operator} ${right.path}`);

/** Texts of conditions that both a query policy and a predicate policy may have. */
export const policyText: fc.Arbitrary<string> = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'policy' },
    { arbitrary: test, weight: 5 },
    { arbitrary: relation, weight: 1 },
    {
      arbitrary: fc
        .tuple(tie('condition'), fc.constantFrom('and', 'or'), tie('condition'))
        .map(([left, word, right]) => `(${left} ${word} ${right})`),
      weight: 3,
    },
    { arbitrary: tie('condition').map((inner) => `not (${inner})`), weight: 1 },
  ),
})).condition;
