interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly object[];
}
interface Found {
  readonly operation: Operation;
  readonly values: ReadonlyMap<string, string>;
}

const operation = (method: string, path: string): Operation => ({
  id: `${method} ${path}`,
  method,
  path,
  parameters: [],
});
const OPERATIONS = [
  operation('get', '/rest/entities/{entity}/{id}'),
  operation('get', '/rest/entities/Order/{id}'),
  operation('get', '/rest/entities/Order'),
  operation('put', '/rest/entities/Order/{id}'),
];

let match: (method: string, target: string) => Found | undefined;
beforeAll(async () => {
  const { matchOperation } = await import(new URL('../../../explorer/match-operation.js', import.meta.url).href);
  match = (method, target) => matchOperation(OPERATIONS, { method, target });
});

test.each([
  [
    '/rest/entities/Order/a%20b?fetchPlan=x+y&id=1&id=2',
    'get /rest/entities/Order/{id}',
    { 'path id': 'a b', 'query fetchPlan': 'x y', 'query id': '1,2' },
  ],
  ['/rest/entities/Other/1', 'get /rest/entities/{entity}/{id}', { 'path entity': 'Other', 'path id': '1' }],
  ['/rest/entities/Other/%zz', 'get /rest/entities/{entity}/{id}', { 'path entity': 'Other', 'path id': '%zz' }],
  ['/rest/entities/Order', 'get /rest/entities/Order', {}],
])('GET %s is the operation %s', (target, id, values) => {
  const found = match('GET', target);
  expect([found?.operation.id, Object.fromEntries(found?.values ?? [])]).toEqual([id, values]);
});

test('parameters that the document does not have are parameters of the operation, too', () => {
  expect(match('GET', '/rest/entities/Order?status=NEW')?.operation.parameters).toEqual([
    { name: 'status', in: 'query' },
  ]);
});

test('a request that no operation has is not found', () => {
  expect(match('DELETE', '/rest/entities/Order')).toBeUndefined();
  expect(match('GET', '/rest')).toBeUndefined();
});
