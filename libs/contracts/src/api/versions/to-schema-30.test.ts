import { toSchema30 } from './to-schema-30.ts';

const REF = { $ref: '#/components/schemas/Thing' };
const ANY = { $ref: '#/components/schemas/Any' };
const NULL = { type: 'object', nullable: true, enum: [null] };
const TYPES = new Map([[REF.$ref, 'object']]);

test.each([
  ['a type or null', { type: ['string', 'null'], maxLength: 3 }, { type: 'string', nullable: true, maxLength: 3 }],
  ['a constant', { const: 'a' }, { enum: ['a'] }],
  [
    'constants or null',
    { type: ['string', 'null'], enum: ['a', null] },
    { type: 'string', nullable: true, enum: ['a', null] },
  ],
  ['only null', { type: 'null' }, NULL],
  ['several types', { type: ['string', 'integer'] }, { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
  [
    'several types or null',
    { type: ['array', 'string', 'null'] },
    {
      anyOf: [
        { type: 'array', items: {}, nullable: true },
        { type: 'string', nullable: true },
      ],
    },
  ],
  ['an exclusive minimum', { exclusiveMinimum: 1 }, { minimum: 1, exclusiveMinimum: true }],
  ['the stricter minimum', { minimum: 2, exclusiveMinimum: 1 }, { minimum: 2 }],
  ['an exclusive maximum', { maximum: 9, exclusiveMaximum: 9 }, { maximum: 9, exclusiveMaximum: true }],
  ['the first example', { type: 'string', examples: ['a', 'b'] }, { type: 'string', example: 'a' }],
  ['an array without items', { type: 'array' }, { type: 'array', items: {} }],
  ['bytes', { type: 'string', contentEncoding: 'base64' }, { type: 'string', format: 'byte' }],
  ['JSON as text', { type: 'string', contentMediaType: 'application/json', contentSchema: {} }, { type: 'string' }],
  ['a reference', REF, REF],
  ['a reference with required members', { ...REF, required: ['id'] }, REF],
  ['a reference with siblings', { ...REF, title: 'T', readOnly: true }, { title: 'T', readOnly: true, allOf: [REF] }],
  [
    'a reference or null',
    { title: 'T', anyOf: [REF, { type: 'null' }] },
    { title: 'T', type: 'object', allOf: [REF], nullable: true },
  ],
  ['a reference of an unknown type or null', { anyOf: [ANY, { type: 'null' }] }, { anyOf: [ANY, NULL] }],
  ['anything or null', { anyOf: [{}, { type: 'null' }] }, {}],
  [
    'constants or null as alternatives',
    { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    { type: 'string', enum: ['a', null], nullable: true },
  ],
  ['one of several references', { oneOf: [REF, ANY] }, { anyOf: [REF, ANY] }],
  ['one of several values', { oneOf: [REF, { type: 'string' }] }, { oneOf: [REF, { type: 'string' }] }],
  [
    'alternatives or null',
    { oneOf: [REF, { type: 'string' }, { type: 'null' }] },
    { oneOf: [REF, { type: 'string' }, NULL] },
  ],
  [
    'members, items and additional members',
    {
      type: 'object',
      properties: { a: { type: ['integer', 'null'] }, b: { type: 'array', items: { const: 1 } } },
      required: [],
      additionalProperties: { type: ['string', 'null'] },
    },
    {
      type: 'object',
      properties: { a: { type: 'integer', nullable: true }, b: { type: 'array', items: { enum: [1] } } },
      additionalProperties: { type: 'string', nullable: true },
    },
  ],
  ['members without a schema', { properties: { a: true, b: false } }, { properties: { a: {}, b: { not: {} } } }],
  [
    'keywords that 3.0 lacks',
    { $comment: 'c', if: {}, patternProperties: { a: {} }, additionalProperties: false, 'x-own': 1 },
    { 'x-own': 1 },
  ],
])('%s', (_name, schema, expected) => {
  expect(toSchema30(schema, TYPES)).toEqual(expected);
});
