import type { Page } from 'playwright-core';
import { consoleOfTests, contentOf, JOURNEY_PATIENCE_MS } from './console-of-tests.ts';
import { inspectPage } from './inspect-page.ts';

/** The pages as in a language that is written from right to left: the console takes German for one. */
const ORDER = '0d000000-0000-4000-8000-000000000001';
const LANGUAGES = /(["'`])ar\1,(["'`])dv\2/;

const opened = consoleOfTests('one process');
let page: Page;
beforeAll(async () => {
  const { context, system } = opened();
  ({ page } = opened());
  let isReplaced = false;
  await context.route('**/console/assets/*.js', async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    isReplaced ||= LANGUAGES.test(body);
    await route.fulfill({ response, body: body.replace(LANGUAGES, '"de","dv"') });
  });
  await page.evaluate(`localStorage.setItem('lintel-console.language', 'de')`);
  await page.goto(`${system.url}/console/data`);
  await page.locator('html[dir=rtl][lang=de]').waitFor();
  expect(isReplaced).toBe(true);
}, JOURNEY_PATIENCE_MS);

const PAGES = [
  ['data', 'Daten'],
  ['data/sales_Order', 'Auftrag'],
  [`data/sales_Order/${ORDER}`, 'A-00001'],
  ['people/users', 'Benutzer'],
  ['people/roles/sales-clerk', undefined],
  ['reports', 'Berichte'],
  ['running/health', 'Zustand'],
  ['running/configuration', 'Konfiguration'],
  ['texts', 'Texte'],
  ['model/sales_Order', 'Auftrag'],
  ['model/diagram', 'Diagramm der Entitäten'],
  ['calls', 'Abfragen und Dienste'],
] as const;

test.each(PAGES)(
  'the page %s is mirrored, without sideways scrolling and violations of axe',
  async (path, title) => {
    await page.goto(`${opened().system.url}/console/${path}`);
    await contentOf(page)
      .getByRole('heading', { level: 1, ...(title !== undefined && { name: title }) })
      .first()
      .waitFor();
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    expect(await page.evaluate('getComputedStyle(document.body).direction')).toBe('rtl');
    // The navigation is on the right.
    const navigation = await page.getByRole('navigation').boundingBox();
    const main = await contentOf(page).boundingBox();
    expect((navigation?.x ?? 0) > (main?.x ?? 0)).toBe(true);
    await inspectPage(page, `rtl-${path.replaceAll(/\W/g, '-')}`);
  },
  JOURNEY_PATIENCE_MS,
);

test(
  'numbers end on the right, chevrons point to the left, and a text of another direction keeps its own',
  async () => {
    await page.goto(`${opened().system.url}/console/data/sales_Order`);
    const list = contentOf(page).getByRole('table', { name: 'Auftrag' });
    await list.getByRole('link').first().waitFor();
    const styleOf = (selector: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
    expect(await styleOf('#content tbody [data-number]', 'textAlign')).toBe('right');
    expect(await styleOf('#content .tabler-icon-chevron-right', 'scale')).toBe('-1 1');
    expect(await styleOf('#content tbody td bdi', 'unicodeBidi')).toBe('isolate');
  },
  JOURNEY_PATIENCE_MS,
);

test(
  'a dialog at the side is on the left',
  async () => {
    await page.goto(`${opened().system.url}/console/data/sales_Order/${ORDER}`);
    await contentOf(page)
      .getByRole('button', { name: /, 1 öffnen$/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect((await dialog.boundingBox())?.x).toBe(0);
    await inspectPage(page, 'rtl-line');
  },
  JOURNEY_PATIENCE_MS,
);
