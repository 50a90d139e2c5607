import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { browserOfTests } from './browser-of-tests.ts';

/** `@lintel/client` in a real browser, on a page of another origin than the API. */
const baseUrl = (process.env['LINTEL_BASE_URL'] ?? '').replace(/\/$/, '');

const PATIENCE_MS = 90_000;

/** What the page does; it leaves what it saw in the attribute `data-seen` of its body. */
const PAGE = `
import { createClient, createSession, tagOf } from '@lintel/client';

const session = createSession({ baseUrl: ${JSON.stringify(baseUrl)}, clientId: 'spa', storage: sessionStorage });
const client = createClient({ baseUrl: ${JSON.stringify(baseUrl)}, token: session });

async function main() {
  // As frameworks do that start a component twice.
  await Promise.all([session.finishLogin(), session.finishLogin()]);
  if (!(await session.isLoggedIn())) return session.redirectToLogin({ redirectUri: location.origin + '/callback' });
  const page = await client.page('sales_Order', { limit: 2, count: 'exact', fetchPlan: 'order-list' });
  const order = await client.load('sales_Order', page.items[0].id, { fetchPlan: '_local' });
  const refused = await client.list('sales_Nothing').catch((error) => error);
  const progress = [];
  const bytes = new Uint8Array(3_000_000).map((_, index) => index % 251);
  const file = await client.files.upload(new File([bytes], 'photo.png', { type: 'image/png' }), {
    onProgress: ({ loaded, total }) => progress.push([loaded, total]),
  });
  const download = await client.files.download(file.fileRef);
  const same = (await download.bytes()).every((byte, index) => byte === bytes[index]);
  const large = new File([new Uint8Array(9_000_000)], 'film.mp4', { type: 'video/mp4' });
  const leaving = new AbortController();
  let uploadUrl;
  const left = await client.files
    .upload(large, {
      signal: leaving.signal,
      onUploadUrl: (url) => (uploadUrl = url),
      onProgress: ({ loaded }) => loaded > 8_388_608 && leaving.abort(new Error('left')),
    })
    .catch((error) => error.message);
  const positions = [];
  const resumed = await client.files.upload(large, { uploadUrl, onProgress: ({ loaded }) => positions.push(loaded) });
  // Neither a link nor an EventSource has a header: a ticket stands for the token, once.
  const link = await client.ticketUrl(client.files.url(file.fileRef));
  const byLink = [(await fetch(link)).status, (await fetch(link)).status];
  const feedUrl = await client.ticketUrl('/rest/changes/sales_Order');
  const feed = await new Promise((resolve) => {
    const source = new EventSource(feedUrl);
    const end = (state) => () => (source.close(), resolve(state));
    source.onopen = end('open');
    source.onerror = end('refused');
  });
  const { username } = await client.user.info();
  await session.logOut();
  return {
    username,
    orders: page.items.length,
    hasMore: typeof page.cursor,
    total: typeof page.total,
    tag: typeof tagOf(order),
    refused: [refused.name, refused.code],
    file: [file.name, file.size],
    progress,
    resumed: [left, positions[0] >= 8_388_608, resumed.name, resumed.size],
    download: [download.name, download.contentType, same],
    byLink,
    feed,
    address: location.pathname + location.search,
    isLoggedIn: await session.isLoggedIn(),
  };
}
main().then(
  (seen) => seen && document.body.setAttribute('data-seen', JSON.stringify(seen)),
  (error) => document.body.setAttribute('data-seen', JSON.stringify({ error: String(error) })),
);
`;

const browser = browserOfTests();
let site: Server;
let origin: string;
beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const script = outputFiles[0]?.text ?? '';
  site = createServer(({ url }, response) => {
    const isScript = url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><body><script type="module" src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => site?.close());

// Asserts contract/files.md#resumable.
test('a page of another origin logs in by code with PKCE, reads, uploads with progress, and resumes an upload', async () => {
  const context = await browser().newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(origin);
  await page.locator('input[name=username]').fill('manager');
  await page.locator('input[name=password]').fill('manager');
  await page.locator('button[value=login]').click();
  const body = page.locator('body[data-seen]');
  await body.waitFor({ state: 'attached' });
  const { progress, ...seen } = JSON.parse((await body.getAttribute('data-seen')) ?? '');
  expect(seen).toEqual({
    username: 'manager',
    orders: 2,
    hasMore: 'string',
    total: 'number',
    tag: 'string',
    refused: ['NotFoundError', 'MODEL_ENTITY_NOT_FOUND'],
    file: ['photo.png', 3_000_000],
    resumed: ['left', true, 'film.mp4', 9_000_000],
    download: ['photo.png', 'image/png', true],
    byLink: [200, 401],
    feed: 'open',
    address: '/callback',
    isLoggedIn: false,
  });
  expect(progress.at(-1)).toEqual([3_000_000, 3_000_000]);
  expect(problems).toEqual([]);
  await context.close();
}, 240_000);
