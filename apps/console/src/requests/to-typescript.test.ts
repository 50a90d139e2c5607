import type { DescribedRequest } from './described-request.ts';
import { toTypeScript } from './to-typescript.ts';

const callOf = (request: DescribedRequest): string =>
  toTypeScript('http://localhost:8080', undefined, request).split('\n').slice(3, -1).join(' ').replaceAll(/\s+/g, ' ');

test.each<[string, DescribedRequest, string]>([
  [
    'a list',
    { method: 'GET', path: '/rest/entities/sales_Order', query: { limit: 5, sort: '-date', filter: undefined } },
    'list("sales_Order", { "limit": 5, "sort": "-date" })',
  ],
  ['an instance', { method: 'GET', path: '/rest/entities/a/b%20c' }, 'load("a", "b c")'],
  [
    'a search with an inline plan',
    {
      method: 'POST',
      path: '/rest/entities/a/search',
      body: {
        filter: { conditions: [] },
        fetchPlan: { entity: 'a', properties: ['b', { name: 'c', fetchPlan: { properties: ['d'] } }] },
      },
    },
    'list("a", { "fetchPlan": { "b": true, "c": { "d": true } }, "filter": { "conditions": [] } })',
  ],
  [
    'an instance with a named plan',
    { method: 'GET', path: '/rest/entities/a/1', query: { fetchPlan: 'p' } },
    'load("a", "1", { "fetchPlan": "p" })',
  ],
  ['a create', { method: 'POST', path: '/rest/entities/a', body: { b: '1.10' } }, 'create("a", { "b": "1.10" })'],
  ['an update', { method: 'PUT', path: '/rest/entities/a/1', body: { b: null } }, 'update("a", "1", { "b": null })'],
  ['a deletion', { method: 'DELETE', path: '/rest/entities/a/1' }, 'remove("a", "1")'],
  ['a query', { method: 'POST', path: '/rest/queries/a/q', body: { x: 1 } }, 'query("a", "q", { "x": 1 })'],
  ['a method', { method: 'POST', path: '/rest/services/s/m', body: {} }, 'call("s", "m", {})'],
  [
    'another request',
    { method: 'GET', path: '/rest/userInfo', query: { a: 'b c' } },
    'connection.read({ method: "GET", path: "/rest/userInfo?a=b+c", repeatable: true })',
  ],
  [
    'a body that is a text',
    { method: 'POST', path: '/rest/entities/a', body: '[{"b":1.10}]' },
    `connection.read({ method: "POST", path: "/rest/entities/a", headers: { "content-type": "application/json" }, body: () => "[{\\"b\\":1.10}]", repeatable: false })`,
  ],
])('%s is a call of the client', (_, request, expected) => {
  expect(callOf(request)).toBe(`const result = await client.${expected};`);
});
