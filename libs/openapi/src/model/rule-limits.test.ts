import { EMAIL_PATTERN } from '@lintel/metadata';
import { digitLimits, ruleLimits } from './rule-limits.ts';

test('a decimal is bounded by the digits of its column, unless a rule bounds it', () => {
  const column = { datatype: 'decimal', precision: 5, scale: 2 } as const;
  expect(digitLimits(column)).toEqual({
    description: 'Exact: all digits are sent. At most 3 digits before the point, 2 digits after it',
    exclusiveMinimum: -1_000,
    exclusiveMaximum: 1_000,
  });
  const rule = { kind: 'min', value: '0', inclusive: true } as const;
  expect({ ...digitLimits(column, [rule]), ...ruleLimits([rule]) }).toMatchObject({
    minimum: 0,
    exclusiveMaximum: 1_000,
  });
  expect(digitLimits(column, [rule])).not.toHaveProperty('exclusiveMinimum');
});

test('digits that no number of JSON Schema holds exactly are described only', () => {
  expect(Object.keys(digitLimits({ datatype: 'decimal', precision: 19, scale: 2 }))).toEqual(['description']);
  expect(digitLimits({ datatype: 'decimal', precision: undefined, scale: undefined })).toEqual({});
  expect(digitLimits({ datatype: 'int', precision: 5, scale: 0 })).toEqual({});
});

test('the size of a list is the number of its items', () => {
  const rule = { kind: 'size', min: 1, max: 3 } as const;
  expect(ruleLimits([rule], { isList: true })).toEqual({ minItems: 1, maxItems: 3 });
  expect(ruleLimits([rule])).toEqual({ minLength: 1, maxLength: 3 });
});

test.each<[rules: Parameters<typeof ruleLimits>[0], schema: object]>([
  [[{ kind: 'not-blank' }], { minLength: 1, pattern: String.raw`\S` }],
  [[{ kind: 'pattern', pattern: '[a-z]+' }, { kind: 'not-blank' }], { minLength: 1, pattern: '^(?:[a-z]+)$' }],
  [[{ kind: 'pattern', pattern: 'allow|step-up' }], { pattern: '^(?:allow|step-up)$', examples: ['allow', 'step-up'] }],
  [[{ kind: 'email' }, { kind: 'not-blank' }], { minLength: 1, pattern: EMAIL_PATTERN, examples: ['ann@example.com'] }],
])('the rules %j of a text are keywords of its schema', (rules, schema) => {
  expect(ruleLimits(rules)).toEqual(schema);
});
