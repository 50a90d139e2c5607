import { exampleOf, operationsOf } from './api-document.ts';

const document = {
  paths: {
    '/a/{id}': {
      parameters: [{ $ref: '#/components/parameters/id' }],
      get: { operationId: 'getA', tags: ['A', 'B'], summary: 'Reads', parameters: [{ name: 'q', in: 'query' }] },
      put: { deprecated: true, requestBody: { $ref: '#/components/requestBodies/a~1b' } },
    },
  },
  components: {
    parameters: { id: { name: 'id', in: 'path', required: true, schema: { $ref: '#/components/schemas/Id' } } },
    schemas: { Id: { type: 'string' } },
    requestBodies: { 'a/b': { content: { 'application/json': { example: { a: 1 } } } } },
  },
};

test('operations have their parameters and bodies, with references resolved', () => {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const common = { path: '/a/{id}', description: '' };
  expect(operationsOf(document)).toEqual([
    {
      ...common,
      id: 'getA',
      method: 'GET',
      tag: 'A',
      summary: 'Reads',
      isDeprecated: false,
      parameters: [id, { name: 'q', in: 'query' }],
      body: undefined,
    },
    {
      ...common,
      id: 'put/a/{id}',
      method: 'PUT',
      tag: '',
      summary: '',
      isDeprecated: true,
      parameters: [id],
      body: document.components.requestBodies['a/b'],
    },
  ]);
});

test.each([
  ['an example', { 'application/json': { example: { a: 1 } } }, 'application/json', '{\n  "a": 1\n}'],
  ['a named example', { 'application/json': { examples: { one: { value: 'x' } } } }, 'application/json', '"x"'],
  ['a text', { 'text/plain': { example: 'x' } }, 'text/plain', 'x'],
  ['JSON without an example', { 'application/json': {} }, 'application/json', '{}'],
  ['another type without an example', {}, 'text/csv', ''],
])('the body begins with %s', (_, content, type, expected) => expect(exampleOf({ content }, type)).toBe(expected));
