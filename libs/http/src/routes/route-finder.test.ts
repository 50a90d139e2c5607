import type { Route } from '../requests/routed-request.ts';
import { createRouteFinder } from './route-finder.ts';

const route = (method: Route['method'], path: string): Route => ({ method, path, handle: async () => {} });

const find = createRouteFinder([
  route('get', '/entities/:name/search'),
  route('get', '/entities/:name/:id'),
  route('post', '/entities/:name'),
]);

const found = (method: string, path: string) => {
  const { route, params } = find(method, path) ?? {};
  return route === undefined ? undefined : [route.path, { ...params }];
};

test('the first route of the list that a method and a path fit is found, with its parameters', () => {
  expect(found('GET', '/entities/Order/1-a')).toEqual(['/entities/:name/:id', { name: 'Order', id: '1-a' }]);
  expect(found('GET', '/entities/Order/search')).toEqual(['/entities/:name/search', { name: 'Order' }]);
  expect(found('POST', '/entities/Order$1.x_~')).toEqual(['/entities/:name', { name: 'Order$1.x_~' }]);
});

test.each([
  ['HEAD', '/entities/Order/1', 'a method without routes'],
  ['OPTIONS', '/entities/Order/1', 'a method without routes'],
  ['POST', '/entities/Order/1', 'a method that the path does not have'],
  ['GET', '/Entities/Order/1', 'another case'],
  ['GET', '/entities/Order/1/', 'a slash at the end'],
  ['GET', '/entities//1', 'an empty segment'],
  ['GET', '/entities/Order/a%20b', 'percent-encoding'],
  ['GET', '/entities/Order/a:b', 'a character that may have a meaning'],
  ['GET', 'http://host/entities/Order/1', 'a target in absolute form'],
  ['GET', '', 'no path'],
])('%s %s is left to Express: %s', (method, path) => {
  expect(find(method, path)).toBeUndefined();
});

test('a parameter may have the name of a member of objects', () => {
  const { params } = createRouteFinder([route('get', '/:__proto__/:constructor')])('GET', '/a/b') ?? {};
  expect(Object.entries(params ?? {})).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
});
