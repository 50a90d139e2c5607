import { readdirSync, readFileSync } from 'node:fs';
import { EXPLORER_SCRIPTS, explorerFile } from './explorer-files.ts';

const FOLDER = new URL('../../../explorer/', import.meta.url);

test('every file of the folder is served, and every script of the page is in it', async () => {
  const files = readdirSync(FOLDER);
  for (const name of files) expect([name, (await explorerFile(name))?.content.length ?? 0]).not.toEqual([name, 0]);
  expect(files).toEqual(expect.arrayContaining([...EXPLORER_SCRIPTS]));
});

test('JSON is formatted without reading its values: numbers keep their digits', async () => {
  const { formatJson } = await import(new URL('format-json.js', FOLDER).href);
  expect(formatJson('{"a":12345678901234567890.10,"b":[],"c":[1,"x, {\\"y\\"}"],"d":{}}')).toBe(
    '{\n  "a": 12345678901234567890.10,\n  "b": [],\n  "c": [\n    1,\n    "x, {\\"y\\"}"\n  ],\n  "d": {}\n}',
  );
});

test('a reference is resolved, and an example is made of a schema that refers to itself', async () => {
  const { ApiDocument } = await import(new URL('api-document.js', FOLDER).href);
  const schemas = {
    Node: { type: 'object', properties: { name: { type: 'string' }, parent: { $ref: '#/components/schemas/Node' } } },
  };
  const api = new ApiDocument({ paths: {}, components: { schemas } }, 'https://x.example/rest/docs/openapi.json');
  expect(api.resolve({ $ref: '#/components/schemas/Node' })).toBe(schemas.Node);
  expect(api.exampleOf({ schema: { $ref: '#/components/schemas/Node' } })).toMatchObject({ parent: { name: 'text' } });
  expect(api.server).toBe('https://x.example');
});

test('a fragment is an id of an operation, also one that no URL should have, or a request', async () => {
  const { readFragment } = await import(new URL('fragment.js', FOLDER).href);
  const idOf = (hash: string): unknown => readFragment(hash).id;
  expect(['', '#', '#a%20b', '#%', '#a%zz', '#method=GET'].map(idOf)).toEqual([
    '',
    '',
    'a b',
    '%',
    'a%zz',
    'method=GET',
  ]);
  expect(readFragment('#method=PUT&target=%2Fa%2520b%3Fc%3Dd&body=%7B%7D')).toEqual({
    method: 'PUT',
    target: '/a%20b?c=d',
    body: '{}',
  });
  const start = readFileSync(new URL('start.js', FOLDER), 'utf8');
  expect(start).not.toContain('decodeURIComponent');
});
