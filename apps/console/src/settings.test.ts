import { readSettings } from './settings.ts';

/** A page with such settings at an address. */
const page = (content: string | undefined, baseURI = 'https://erp.example.com/console/') =>
  ({ baseURI, querySelector: () => (content === undefined ? null : { content }) }) as unknown as Document;

test.each([
  ['no element', undefined],
  ['an empty element', ''],
  ['an element without members', '{}'],
])('with %s everything is at its default location', (_case, content) => {
  expect(readSettings(page(content))).toEqual({
    ...{ clientId: 'lintel-console', server: 'https://erp.example.com', basePath: '/console/' },
    ...{ paths: undefined, endpoints: {}, extension: undefined },
  });
});

test('the server is above the console, without a slash at its end', () => {
  expect(readSettings(page('{}', 'https://example.com/erp/console/')).server).toBe('https://example.com/erp');
  expect(readSettings(page('{"server":"https://api.example.com/erp//"}')).server).toBe('https://api.example.com/erp');
});

test('the members of the element are taken', () => {
  const given = {
    ...{ clientId: 'ops', extension: './parts.js', endpoints: { docs: '/api/docs' } },
    paths: { base: '/api', entities: '/api/e', queries: '/api/q', services: '/api/s' },
  };
  expect(readSettings(page(JSON.stringify(given)))).toMatchObject(given);
});

test('the base of the page has the path of the console, also where the page is deeper', () => {
  expect(readSettings(page('{}', 'https://example.com/a/b/index.html')).basePath).toBe('/a/b/');
});
