import { as, send } from '../api.ts';

/** The files of the explorer; what it does in a browser is in `tests/e2e/explorer.test.ts`. */
const PAGE = '/rest/docs';
const FILES: readonly (readonly [string, string])[] = [
  ['explorer.css', 'text/css; charset=utf-8'],
  ['start.js', 'text/javascript; charset=utf-8'],
  ['oauth2-redirect.html', 'text/html; charset=utf-8'],
  ['oauth2-redirect.js', 'text/javascript; charset=utf-8'],
  ['favicon.svg', 'image/svg+xml'],
];

test('the page loads files of its own server alone, and its policy lets nothing else in', async () => {
  const page = await send('GET', PAGE);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
  expect(policy).not.toContain('unsafe');
  const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, link = '']) => new URL(link, `http://x${PAGE}`),
  );
  expect(links.length).toBeGreaterThan(3);
  for (const { host, pathname } of links) expect([host, (await send('GET', pathname)).status]).toEqual(['x', 200]);
});

test.each(FILES)('%s is %s, with a tag and 304', async (file, contentType) => {
  const response = await send('GET', `${PAGE}/explorer/${file}`);
  expect([response.status, response.headers.get('content-type'), response.text.length > 0]).toEqual([
    200,
    contentType,
    true,
  ]);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const headers = { 'if-none-match': response.headers.get('etag') ?? '' };
  expect((await send('GET', `${PAGE}/explorer/${file}`, { headers })).status).toBe(304);
});

test('with a slash at its end the page is found where its links work', async () => {
  const response = await send('GET', `${PAGE}/`);
  expect([response.status, response.headers.get('location')]).toEqual([308, '../docs']);
});

test('nothing else of the package is served', async () => {
  for (const file of ['index.html', 'package.json', 'unknown.js', '..%2fpackage.json', 'constructor'])
    expect((await as('admin', 'GET', `/docs/explorer/${file}`)).status).toBe(404);
});
