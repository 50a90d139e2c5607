import { cases, fc } from '@lintel/testkit/properties';
import { withoutNulls } from './shape-row.ts';

const TRICKY = [
  ':null',
  ':null,',
  ',',
  '{',
  '},{',
  '"',
  '","',
  '\\',
  '\\":null',
  ',"a":null',
  '{"a":null}',
  'null',
  '',
];

const text = fc.oneof(
  fc.string(),
  fc.constantFrom(...TRICKY),
  fc.array(fc.constantFrom(...TRICKY)).map((all) => all.join('')),
);
const name = fc
  .oneof(fc.constantFrom('a', 'b', '_entityName', '+mark', 'null'), text)
  .filter((one) => !/^[,:\]}]/.test(one));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.oneof(text, fc.integer(), fc.boolean()),
    fc.array(tie('value')),
    fc.dictionary(name, tie('value'), { noNullPrototype: true }),
  ),
}));

function stripped(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(stripped);
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, own]) => (own === null ? [] : [[key, stripped(own)]])),
  );
}

test('members that are null are removed at every depth, and nothing else, for any texts and names', () => {
  fc.assert(
    fc.property(value, (given) => {
      expect(withoutNulls(JSON.stringify(given))).toBe(JSON.stringify(stripped(given)));
    }),
    cases(2_000),
  );
});

test.each([
  ['{"a":null}', '{}'],
  ['{"a":null,"b":null,"c":[null,{"d":null}]}', '{"c":[null,{}]}'],
  ['{"a":"x,\\"b\\":null","c":["y,",":null"],"d":49.90}', '{"a":"x,\\"b\\":null","c":["y,",":null"],"d":49.90}'],
])('%s becomes %s', (given, expected) => {
  expect(withoutNulls(given)).toBe(expected);
});
