import type { ApiOperation } from './api-document.ts';
import { matchOperation } from './match-operation.ts';

const operation = (method: string, path: string): ApiOperation => ({
  id: `${method} ${path}`,
  method,
  path,
  tag: '',
  summary: '',
  description: '',
  isDeprecated: false,
  parameters: [],
  body: undefined,
});
const OPERATIONS = [
  operation('GET', '/rest/entities/{entity}/{id}'),
  operation('GET', '/rest/entities/Order/{id}'),
  operation('GET', '/rest/entities/Order'),
  operation('PUT', '/rest/entities/Order/{id}'),
];

test.each([
  [
    'GET',
    '/rest/entities/Order/a%20b?fetchPlan=x+y',
    'GET /rest/entities/Order/{id}',
    { 'path id': 'a b', 'query fetchPlan': 'x y' },
  ],
  ['GET', '/rest/entities/Other/1', 'GET /rest/entities/{entity}/{id}', { 'path entity': 'Other', 'path id': '1' }],
  ['GET', '/rest/entities/Order', 'GET /rest/entities/Order', {}],
])('%s %s is the operation %s', (method, target, id, values) => {
  const found = matchOperation(OPERATIONS, method, target);
  expect([found?.operation.id, Object.fromEntries(found?.values ?? [])]).toEqual([id, values]);
});

test('parameters that the document does not have are parameters of the operation, too', () => {
  const found = matchOperation(OPERATIONS, 'GET', '/rest/entities/Order?status=NEW');
  expect(found?.operation.parameters).toEqual([{ name: 'status', in: 'query' }]);
});

test('a request that no operation has is none', () => {
  expect(matchOperation(OPERATIONS, 'DELETE', '/rest/entities/Order')).toBeUndefined();
  expect(matchOperation(OPERATIONS, 'GET', '/rest')).toBeUndefined();
});
