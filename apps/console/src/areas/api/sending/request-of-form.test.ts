import type { ApiParameter } from '../document/api-document.ts';
import { missingParameters, requestOfForm } from './request-of-form.ts';

const parameters: readonly ApiParameter[] = [
  { name: 'id', in: 'path', required: true },
  { name: 'limit', in: 'query' },
  { name: 'offset', in: 'query' },
  { name: 'If-Match', in: 'header' },
];
const operation = { method: 'PUT', path: '/rest/a/{id}', parameters, body: { content: { 'application/json': {} } } };

test('a request has what was entered, and nothing that was left empty', () => {
  const values = new Map([
    ['path id', 'a/$&b'],
    ['query limit', ''],
    ['query other', '1'],
    ['query offset', '5'],
    ['header If-Match', '"1"'],
  ]);
  expect(requestOfForm(operation, { values, body: '{"n":1.10}', contentType: 'application/json' })).toEqual({
    method: 'PUT',
    path: '/rest/a/a%2F%24%26b',
    query: { offset: '5' },
    body: '{"n":1.10}',
    headers: { 'if-match': '"1"' },
  });
});

test('a body of another type has its type; an empty one is not sent', () => {
  const values = new Map([['path id', '1']]);
  expect(requestOfForm(operation, { values, body: 'a', contentType: 'text/plain' })).toMatchObject({
    body: 'a',
    headers: { 'content-type': 'text/plain' },
  });
  expect(requestOfForm(operation, { values, body: '', contentType: 'text/plain' })).toEqual({
    method: 'PUT',
    path: '/rest/a/1',
    query: {},
  });
});

test('required parameters without a value are missing', () => {
  expect(missingParameters(operation, { values: new Map([['path id', '']]) })).toEqual(['path id']);
  expect(missingParameters(operation, { values: new Map([['path id', '1']]) })).toEqual([]);
});
