import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { loadSettings, processSources } from '@lintel/config';
import { type RunningGateway, startGateway } from '../../test/gateway-fixture.ts';
import { settings } from '../config.ts';
import { createConsole } from './create-console.ts';

const SCRIPT = `export const text = '${'x'.repeat(5_000)}';\n`;
const SECRETS = {
  'svc.gateway.host': '127.0.0.1',
  'svc.internal.secret': 'internal',
  'svc.security.allow-insecure': 'short-secrets,compatible-profile',
};
const ENABLED = { 'svc.console.enabled': 'true' };

let outside: string;
let gateway: RunningGateway;
beforeAll(async () => {
  outside = mkdtempSync(join(tmpdir(), 'lintel-console-'));
  const folder = join(outside, 'bundle');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(outside, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'index.html'), '<title>Console</title><i nonce="LINTEL_CONSOLE_NONCE"></i>');
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  writeFileSync(join(folder, 'assets', 'main-Ab12.js'), SCRIPT);
  const extension = join(outside, 'extension');
  mkdirSync(join(extension, 'assets'), { recursive: true });
  writeFileSync(join(extension, 'index.js'), 'export default () => ({});');
  writeFileSync(join(extension, 'assets', 'stock.css'), 'a{}');
  const properties = { ...ENABLED, 'svc.console.extension': extension };
  gateway = await startGateway(properties, undefined, {}, pathToFileURL(`${folder}/`));
});
afterAll(async () => {
  await gateway?.close();
  rmSync(outside, { recursive: true, force: true });
});

const get = (path: string, options: RequestInit = {}) =>
  fetch(`${gateway.url}${path}`, { redirect: 'manual', ...options });

/** Sends a request whose path the client does not normalize; resolves with the response as text. */
const sendRaw = (path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(gateway.port, '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    });
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.once('error', reject).once('close', () => resolve(text));
  });

test.each([
  '/console/',
  '/console/index.html',
  '/console/data',
  '/console/data/sales_Order/a.b',
  '/console/login?code=x',
])('%s is the page: it is checked again each time, needs no token, and has a nonce of its own', async (path) => {
  const [first, second] = [await get(path), await get(path)];
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(first.headers.get('cache-control')).toBe('no-cache');
  const [, nonce = ''] = /'nonce-([^']+)'/.exec(first.headers.get('content-security-policy') ?? '') ?? [];
  expect(await first.text()).toBe(`<title>Console</title><i nonce="${nonce}"></i>`);
  expect(nonce).toMatch(/^.{22,}$/);
  expect(second.headers.get('content-security-policy')).not.toContain(nonce);
});

test('the path without a slash at its end leads to the page', async () => {
  const response = await get('/console');
  expect([response.status, response.headers.get('location')]).toEqual([308, './console/']);
});

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

test('a browser is led from the root to the console; for other clients nothing is there', async () => {
  const page = await get('/', BROWSER);
  expect([page.status, page.headers.get('location')]).toEqual([302, './console/']);
  const json = await get('/', { headers: { accept: '*/*' } });
  expect([json.status, await json.json()]).toEqual([404, { error: 'Not found', details: 'There is nothing at /' }]);
  // Without a contact, auth responds that there is nothing.
  expect(await (await get('/.well-known/security.txt')).json()).toEqual({ service: 'auth' });
});

test('without the console the root is a page that leads to the documents; icon and contact are served', async () => {
  const plain = await startGateway({ 'svc.gateway.security-contact': 'mailto:security@example.com' }, undefined, {});
  try {
    const at = (path: string, options?: RequestInit) => fetch(`${plain.url}${path}`, options);
    expect(await (await at('/', BROWSER)).text()).toContain('href="./rest/docs"');
    expect(await (await at('/problems')).text()).toContain('<dt id="REQ_WITHOUT_EFFECT">REQ_WITHOUT_EFFECT<dd>400 ');
    const icon = await at('/favicon.ico');
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect((await at('/favicon.ico', { method: 'POST' })).status).toBe(405);
    const contact = await (await at('/.well-known/security.txt')).text();
    expect(contact).toMatch(/^Contact: mailto:security@example\.com\nExpires: 20\d\d-[\dT:.-]+Z\n$/);
  } finally {
    await plain.close();
  }
});

test('a file with a hash in its name is kept by browsers for ever, and sent in the coding that they accept', async () => {
  const path = '/console/assets/main-Ab12.js';
  const plain = await get(path, { headers: { 'accept-encoding': 'identity' } });
  expect(await plain.text()).toBe(SCRIPT);
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  const raw = (coding: string) => get(path, { method: 'HEAD', headers: { 'accept-encoding': coding } });
  const [brotli, gzip] = [await raw('gzip, br, zstd'), await raw('gzip')];
  expect([brotli, gzip].map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'gzip']);
  expect([brotli, gzip].map(({ headers }) => headers.get('vary'))).toEqual(['Accept-Encoding', 'Accept-Encoding']);
  const tags = [plain, brotli, gzip].map(({ headers }) => headers.get('etag'));
  expect(new Set(tags).size).toBe(3);
  for (const [index, coding] of ['identity', 'br', 'gzip'].entries()) {
    const again = await get(path, { headers: { 'accept-encoding': coding, 'if-none-match': tags[index] ?? '' } });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tags[index], '']);
  }
});

test('the codings decode to the file', async () => {
  const { readConsoleFiles } = await import('./console-files.ts');
  const file = readConsoleFiles(pathToFileURL(`${join(outside, 'bundle')}/`)).get('assets/main-Ab12.js');
  expect(brotliDecompressSync((await file?.encoded('br')) ?? '').toString()).toBe(SCRIPT);
  expect(gunzipSync((await file?.encoded('gzip')) ?? '').toString()).toBe(SCRIPT);
});

test('the files of the extension are served under the same policy, and are checked again each time', async () => {
  const module = await get('/console/extension/index.js');
  expect(await module.text()).toBe('export default () => ({});');
  expect(module.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(module.headers.get('cache-control')).toBe('no-cache');
  const style = await get('/console/extension/assets/stock.css');
  expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
});

test('an extension without its module stops the start', () => {
  const bundle = pathToFileURL(`${join(outside, 'bundle')}/`);
  const config = loadSettings(settings, processSources({ environment: {}, overrides: SECRETS }));
  expect(() => createConsole(bundle, config, new URL('assets/', bundle))).toThrow(
    /^svc\.console\.extension: there is no index\.js in .*assets/,
  );
});

test('HEAD has the headers of GET without the content', async () => {
  for (const path of ['/console/', '/console/favicon.svg']) {
    const [head, whole] = [await get(path, { method: 'HEAD' }), await get(path)];
    expect(await head.text()).toBe('');
    expect(head.headers.get('content-length')).toBe(String((await whole.arrayBuffer()).byteLength));
  }
});

test.each([
  '/console/assets/main-Xx99.js',
  '/console/assets/',
  '/console/nothing.js',
  '/console/..%2fsecret.txt',
  '/console/%2e%2e/secret.txt',
  '/console/..\\secret.txt',
  '/console/extension/nothing.js',
  '/console/extension/',
  '/console/extension/..%2fsecret.txt',
])('%s does not exist', async (path) => {
  expect(await sendRaw(path)).toMatch(/^HTTP\/1\.1 404 /);
});

test('no path leads out of the folder', async () => {
  for (const path of ['/console/../secret.txt', '/console/assets/../../secret.txt', '/console//../secret.txt']) {
    const response = await sendRaw(path);
    expect(response).toMatch(/^HTTP\/1\.1 404 /);
    expect(response).not.toContain('secret\r\n');
  }
});

test('other methods are refused', async () => {
  const response = await get('/console/', { method: 'POST', body: 'x' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test('paths that only begin alike have no route', async () => {
  expect((await get('/consoles')).status).toBe(404);
});

test('without the setting there is no console', async () => {
  const other = await startGateway({}, undefined, {}, pathToFileURL(`${join(outside, 'bundle')}/`));
  try {
    expect((await fetch(`${other.url}/console/`)).status).toBe(404);
  } finally {
    await other.close();
  }
});
