import { cases, fc } from '@lintel/testkit/properties';
import { bodyText, pathWithQuery } from './described-request.ts';

test('parameters without a value are left out, and objects are sent as JSON', () => {
  const query = { limit: 5, offset: 0, sort: '', filter: { a: ['ü&'] }, plan: undefined, view: null, isPaid: false };
  expect(pathWithQuery({ path: '/rest/a', query })).toBe(
    `/rest/a?limit=5&offset=0&filter=${encodeURIComponent('{"a":["ü&"]}')}&isPaid=false`,
  );
});

test('without parameters the path has no question mark', () => {
  expect(
    [{}, { query: {} }, { query: { a: undefined } }].map((more) => pathWithQuery({ path: '/a', ...more })),
  ).toEqual([...['/a', '/a', '/a']]);
});

test('a server reads the same values, also with characters that URLs encode', () => {
  const name = fc.stringMatching(/^[a-z]{1,5}$/);
  const value = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }).map((text) => text.toWellFormed()),
    fc.integer(),
  );
  fc.assert(
    fc.property(fc.dictionary(name, value), (query) => {
      const url = new URL(pathWithQuery({ path: '/rest/a', query }), 'http://localhost');
      expect(Object.fromEntries(url.searchParams)).toEqual(
        Object.fromEntries(Object.entries(query).map(([key, each]) => [key, String(each)])),
      );
    }),
    cases(100),
  );
});

test('a body is JSON, a text is sent as it is, and null is a body', () => {
  expect(
    [{ body: { a: 1 } }, { body: '{"a": 1.0}' }, { body: null }, { body: 0 }, {}].map((each) => bodyText(each)),
  ).toEqual(['{"a":1}', '{"a": 1.0}', 'null', '0', undefined]);
  expect(bodyText({ body: { a: 1 } }, 2)).toBe('{\n  "a": 1\n}');
});
