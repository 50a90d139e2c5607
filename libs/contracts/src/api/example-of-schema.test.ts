import { exampleOfSchema } from './example-of-schema.ts';
import { listOf, objectOf, ref, type Schema, STRING } from './route-description.ts';

const schemas: Readonly<Record<string, Schema>> = {
  Node: objectOf({ name: STRING, parent: ref('Node') }, ['name']),
  Endless: objectOf({ again: ref('Endless') }),
};

test.each<[schema: Schema, example: unknown]>([
  [STRING, 'text'],
  [{ type: ['string', 'null'], maxLength: 2 }, 'te'],
  [{ type: 'string', minLength: 6 }, 'texttt'],
  [{ type: 'string', format: 'uuid' }, '00000000-0000-4000-8000-000000000001'],
  [{ type: 'string', enum: ['A', 'B'] }, 'A'],
  [{ type: 'string', default: 'x' }, 'x'],
  [{ const: 'data.v1' }, 'data.v1'],
  [{ type: 'integer' }, 1],
  [{ type: 'number', minimum: 5 }, 5],
  [{ type: 'integer', maximum: 0 }, 0],
  [{ type: 'number', exclusiveMinimum: 1 }, 2],
  [{ type: 'boolean' }, true],
  [listOf(ref('Node')), [{ name: 'text' }]],
  [{ anyOf: [{ type: 'integer' }, STRING] }, 1],
  [objectOf({ a: STRING, b: {} }), { a: 'text' }],
  [{ type: 'string', pattern: '^[A-Z]$' }, undefined],
  [{ type: 'string', pattern: '^[a-z]+$' }, 'text'],
  [{}, undefined],
])('the example of %j', (schema, example) => {
  expect(exampleOfSchema(schema, schemas)).toEqual(example);
});

test('schemas that contain themselves end', () => {
  expect(JSON.stringify(exampleOfSchema(ref('Endless'), schemas)).length).toBeLessThan(200);
});
