import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ProvidedBackends, provide } from '@lintel/testkit/backends';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { deadLinksOf } from './dead-links.ts';
import { type ServedSite, serveSite } from './serve-site.ts';

/** The site, which `build-site.mjs` has built, is served as it is published: below a path. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DIST = join(ROOT, 'site/dist');
const BASE = process.env['LINTEL_SITE_BASE'] ?? '/lintel/';
const START_MS = 60_000;

/** One page of each kind. */
const PAGES = [
  '/',
  '/start',
  '/tutorials',
  '/guide/',
  '/guide/reading',
  '/guide/troubleshooting',
  '/reference/config',
  '/reference/errors',
  '/contract/filters',
  '/architecture',
  '/comparison',
  '/performance',
  '/adr/',
  '/reference/typescript/',
  '/reference/typescript/application/interfaces/ServiceContext',
  '/reference/typescript/metadata/functions/standardEntity',
];
const DESKTOP = { width: 1400, height: 900 };
const PHONE = { width: 360, height: 740 };

let programs: ProvidedBackends;
let browser: Browser;
let site: ServedSite;
let axe: string;

beforeAll(async () => {
  axe = readFileSync(join(ROOT, 'site/node_modules/axe-core/axe.min.js'), 'utf8');
  site = await serveSite(DIST, BASE);
  programs = await provide({ chromium: true });
  browser = await chromium.launch({
    executablePath: programs.environment['LINTEL_TEST_CHROMIUM_PROGRAM'] ?? '',
    // Its sandbox is not for root, as whom tests run in containers.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}, START_MS);

afterAll(async () => {
  await browser?.close();
  await programs?.stop();
  await site?.close();
});

/** Opens a page in a new context; `problems` are errors of scripts, failed requests and requests to other servers. */
async function open(path: string, options: BrowserContextOptions = { viewport: DESKTOP }) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`${path}: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${path}: ${response.status()} ${response.url()}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== new URL(site.url).origin) problems.push(`${path}: requests ${url}`);
  });
  await page.goto(`${site.url}${path}`, { waitUntil: 'networkidle' });
  return { page, problems, close: () => context.close() };
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Violations of the rules of axe, with the first element of each. */
async function violationsOn(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ content: axe });
  const found = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as readonly Violation[];
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary ?? ''}`);
}

const WAYS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['on a desktop, light', { viewport: DESKTOP, colorScheme: 'light' }],
  ['on a desktop, dark', { viewport: DESKTOP, colorScheme: 'dark' }],
  ['on a phone, dark', { viewport: PHONE, colorScheme: 'dark', isMobile: true, hasTouch: true }],
];

describe.each(WAYS)('%s', (_, options) => {
  test.each(PAGES)('%s has no violation of axe, no error, and fits the width', async (path) => {
    const { page, problems, close } = await open(path, options);
    expect(await violationsOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);
    expect(problems).toEqual([]);
    await close();
  });
});

test('the search finds a page without a server', async () => {
  const { page, problems, close } = await open('/');
  await page.keyboard.press('Control+k');
  await page.locator('#localsearch-input').fill('idempotency key');
  const first = page.locator('#localsearch-list .result').first();
  await first.waitFor();
  expect(await violationsOn(page)).toEqual([]);
  await first.click();
  await page.waitForURL(/idempotency|writing-safely/);
  expect(await page.locator('main').textContent()).toMatch(/Idempotency-Key/i);
  expect(problems).toEqual([]);
  await close();
});

test.each([
  ['filter', /\/guide\//],
  ['hot reload', /\/guide\/|\/start|\/commands/],
  ['cron', /\/guide\//],
  ['audit', /\/not-included|\/guide\//],
])('the search for %s finds a guide first', async (words, path) => {
  const { page, close } = await open('/');
  await page.keyboard.press('Control+k');
  await page.locator('#localsearch-input').fill(words);
  const first = page.locator('#localsearch-list .result').first();
  await first.waitFor();
  expect(await first.getAttribute('href')).toMatch(path);
  await close();
});

test('the chosen theme stays on the next page', async () => {
  const { page, close } = await open('/start', { viewport: DESKTOP, colorScheme: 'light' });
  const isDark = () => page.evaluate("document.documentElement.classList.contains('dark')");
  expect(await isDark()).toBe(false);
  await page.getByRole('switch', { name: 'Switch to dark theme' }).first().click();
  expect(await isDark()).toBe(true);
  await page.goto(`${site.url}/guide/reading`);
  expect(await isDark()).toBe(true);
  await close();
});

test('a phone reaches every section by the menu', async () => {
  const { page, close } = await open('/guide/reading', { viewport: PHONE, isMobile: true, hasTouch: true });
  await page.getByRole('button', { name: 'Menu' }).click();
  const sections = page.locator('.VPSidebar.open .level-0 > .item .text');
  await sections.first().waitFor();
  expect(await sections.allTextContents()).toEqual(['Tutorials', 'How-to guides', 'Reference', 'Explanation']);
  expect(await violationsOn(page)).toEqual([]);
  await close();
});

test('every link of every built page leads to a page and an anchor', () => {
  expect(globSync('**/*.html', { cwd: DIST }).length).toBeGreaterThan(250);
  expect(deadLinksOf(DIST, BASE)).toEqual([]);
});

test('llms.txt lists pages that are there as text, and llms-full.txt contains them', () => {
  const index = readFileSync(join(DIST, 'llms.txt'), 'utf8');
  const listed = [...index.matchAll(/\]\((?:https?:\/\/[^/]+)?(\/[^)]+)\)/g)].map(([, path = '']) => path);
  expect(listed.length).toBeGreaterThan(60);
  const full = readFileSync(join(DIST, 'llms-full.txt'), 'utf8');
  for (const path of listed) {
    const text = readFileSync(join(DIST, path.slice(BASE.length)), 'utf8');
    if (!path.endsWith('llms-full.txt')) expect([path, full.includes(text.trim())]).toEqual([path, true]);
  }
});
