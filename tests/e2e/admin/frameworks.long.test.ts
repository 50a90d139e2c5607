import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { browserOfTests, PATIENCE_MS } from '../browser-of-tests.ts';
import { type Blog, startBlog } from './start-blog.ts';

/**
 * Pages with react-admin and Refine, which are installed from npm, in a browser: their types, login with PKCE, lists,
 * forms, conflicts, messages at fields, changes of others. The resources are those of their example applications.
 */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDER = fileURLToPath(new URL('page/', import.meta.url));
const COMPILER = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

const browser = browserOfTests();
let blog: Blog;
let servers: Server[] = [];
let origins: string[];

beforeAll(async () => {
  if (!existsSync(join(FOLDER, 'node_modules', 'react-admin', 'package.json'))) {
    const { npm } = await import(new URL('../../../tools/bootstrap/installation/npm.mjs', import.meta.url).href);
    await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: FOLDER, purpose: 'The test needs them' });
  }
  let baseUrl = '';
  servers = await Promise.all(['react-admin', 'refine'].map((name) => serve(name, () => baseUrl)));
  origins = servers.map((server) => `http://localhost:${(server.address() as AddressInfo).port}`);
  blog = await startBlog(origins);
  baseUrl = blog.url;
}, 1_200_000);
afterAll(async () => {
  await blog?.stop();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

/** Serves a page at each path of a server of its own. */
async function serve(name: string, baseUrl: () => string): Promise<Server> {
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, `${name}.tsx`)],
    bundle: true,
    format: 'esm',
    write: false,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const script = outputFiles[0]?.text ?? '';
  const server = createServer(({ url }, response) => {
    const isScript = url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(
      isScript
        ? script
        : `<!doctype html><html lang="en" data-base-url="${baseUrl()}"><body><script type="module" src="/page.js"></script>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return server;
}

/** Opens a page and logs in on its way. */
async function open(origin: string | undefined): Promise<{ readonly page: Page; readonly problems: string[] }> {
  const context = await browser().newContext({ locale: 'en' });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(`${origin}/`);
  await page.fill('input[name=username]', 'editor');
  await page.fill('input[type=password]', 'editor');
  await page.keyboard.press('Enter');
  return { page, problems };
}

/** A token of the editor, for what somebody else does. */
async function somebodyElse(method: string, path: string, body: object): Promise<void> {
  const login = await fetch(`${blog.url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('admin:secret')}` },
    body: new URLSearchParams({ grant_type: 'password', username: 'editor', password: 'editor' }),
  });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const response = await fetch(`${blog.url}/rest/entities/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
}

const compile = async (project: string): Promise<string> =>
  (
    await promisify(execFile)(process.execPath, [COMPILER, '-p', project], {
      env: { ...process.env, NODE_OPTIONS: '' },
    }).catch((error: { readonly stdout: string }) => error)
  ).stdout;

test('the providers have the types of both frameworks, and the examples of the guide compile', async () => {
  expect(await compile(FOLDER)).toBe('');
  const guide = await readFile(join(ROOT, 'docs', 'guide', 'admin-frameworks.md'), 'utf8');
  const project = await mkdtemp(join(FOLDER, '.guide-'));
  try {
    const examples = [...guide.matchAll(/^```tsx?\n(.*?)^```$/gms)].map(([, text]) => text);
    expect(examples).toHaveLength(3);
    await writeFile(join(project, 'guide.tsx'), examples.join('\n'));
    const include = { extends: '../tsconfig.json', include: ['guide.tsx'] };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify(include));
    expect(await compile(project)).toBe('');
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}, 300_000);

test('react-admin: login, list with search and pages, form with references and children, conflict, messages', async () => {
  const { page, problems } = await open(origins[0]);
  await page.getByRole('cell', { name: 'Post 05' }).waitFor();
  await page.getByRole('cell', { name: 'Logan Schowalter' }).first().waitFor();
  await page.getByRole('button', { name: 'Go to next page' }).click();
  await page.getByRole('cell', { name: 'Post 06' }).waitFor();
  await page.locator('input[name=q]').fill('harbour');
  await page.getByRole('cell', { name: 'Post 01' }).click();

  await page.getByRole('cell', { name: 'Reader 3' }).waitFor();
  await page.getByRole('button', { name: 'news' }).waitFor();
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.fill('Post 01, changed');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Element updated').waitFor();

  await somebodyElse('PUT', 'blog_Post/d0000000-0000-4000-8000-000000000001', { views: 77 });
  await title.fill('Post 01, stale');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The instance has changed since it was read').waitFor();

  await page.goto(`${origins[0]}/posts/create`);
  await page.getByRole('textbox', { name: 'Title' }).fill('Of the test');
  await page.getByRole('spinbutton', { name: 'Views' }).fill('-5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByText(/greater than or equal to 0/)
    .first()
    .waitFor();
  await page.getByRole('spinbutton', { name: 'Views' }).fill('5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Element created').waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Element deleted').waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
}, 300_000);

test('Refine: login, list with search and pages, form, messages, changes of others', async () => {
  const { page, problems } = await open(origins[1]);
  await page.getByRole('link', { name: 'Post 02' }).waitFor();
  await page.getByText('Page 1 of 3').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('link', { name: 'Post 06' }).waitFor();
  await page.getByLabel('Search').fill('Post 12');
  await page.getByRole('link', { name: 'Post 12' }).waitFor();
  await somebodyElse('PUT', 'blog_Post/d0000000-0000-4000-8000-000000000012', { title: 'Post 12 of others' });
  await page.getByRole('link', { name: 'Post 12 of others' }).click();

  // The record replaces what is entered before it is there.
  await page.waitForFunction("document.querySelector('input[name=title]').value === 'Post 12 of others'");
  await page.getByLabel('Views').fill('-1');
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByText(/greater than or equal to 0/)
    .first()
    .waitFor();
  await page.getByLabel('Views').fill('99');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();

  await page.goto(`${origins[1]}/blog_posts/create`);
  await page.getByLabel('Title').fill('By Refine');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  await page.goto(`${origins[1]}/`);
  await page.getByRole('link', { name: 'By Refine' }).waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
}, 300_000);
