import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { browserOfTests, PATIENCE_MS } from '../browser-of-tests.ts';

interface StartedSystem {
  readonly url: string;
  stop(): Promise<unknown>;
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const VIEWPORTS = [
  { width: 1280, height: 850 },
  { width: 375, height: 740 },
];
const ORDER = '0d000000-0000-4000-8000-000000000001';

const browser = browserOfTests();
let system: StartedSystem;
let axe: string;
let folder: string;
beforeAll(async () => {
  const { startStandalone } = (await import(
    new URL('../../../tools/test/system.mjs', import.meta.url).href
  )) as unknown as { startStandalone(): Promise<StartedSystem> };
  [system, axe, folder] = await Promise.all([
    startStandalone(),
    readFile(AXE, 'utf8'),
    mkdtemp(join(tmpdir(), 'lintel-people-')),
  ]);
}, 300_000);
afterAll(async () => {
  await system?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

async function logIn(username: string, password = username): Promise<Page> {
  const page = await (await browser().newContext({ locale: 'en', viewport: VIEWPORTS[0] ?? null })).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${system.url}/console/`);
  await page.fill('input[name=username]', username);
  await page.fill('input[type=password]', password);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation').waitFor();
  return page;
}

const open = async (page: Page, path: string, heading: string): Promise<void> => {
  await page.goto(`${system.url}/console/people/${path}`);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
};

/** The page has no problem of axe and does not scroll sideways: wide and narrow, light and dark. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const viewport of VIEWPORTS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await page.evaluate(axe);
      const problems = await page.evaluate(
        `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
      );
      const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      await page.screenshot({ path: join(folder, `${name}-${viewport.width}-${colorScheme}.png`) });
      expect([name, colorScheme, viewport.width, problems, isWide]).toEqual([
        name,
        colorScheme,
        viewport.width,
        [],
        false,
      ]);
    }
  await page.setViewportSize(VIEWPORTS[0] ?? { width: 1280, height: 850 });
}

const choose = async (page: Page, label: string, words: string): Promise<void> => {
  await page.getByRole('combobox', { name: label }).fill(words);
  await page.getByRole('option', { name: words }).first().click();
};

test('an administrator gives a colleague a role with a rule, sees with his eyes, ends his session, and finds out why he cannot see an order', async () => {
  const admin = await logIn('admin');
  await open(admin, 'users', 'Users');
  await inspect(admin, 'users');

  // A row-level role with a rule, which is checked while it is written.
  await open(admin, 'roles', 'Roles');
  await inspect(admin, 'roles');
  await admin.getByRole('button', { name: 'New role' }).click();
  await admin.getByRole('combobox', { name: 'Kind' }).selectOption('rowLevel');
  await admin.getByRole('textbox', { name: 'Code' }).fill('not-the-first');
  await admin.getByRole('textbox', { name: 'Name' }).fill('Not the first order');
  await admin.getByRole('button', { name: 'Save' }).click();
  await admin.getByRole('heading', { level: 1, name: 'Not the first order' }).waitFor();
  await admin.getByRole('button', { name: 'Add a policy' }).click();
  await choose(admin, 'Entity', 'Order (sales_Order)');
  const condition = admin.getByRole('textbox', { name: 'Condition' });
  await condition.fill('{E}.id <>');
  await admin.getByText(/Line 1, column \d+/).waitFor();
  await condition.fill(`{E}.id <> '${ORDER}'`);
  await admin.getByText('The policy has no mistake.').waitFor();
  await admin.getByRole('textbox', { name: 'User name' }).fill('manager');
  await admin.getByRole('button', { name: 'Show' }).click();
  await admin.getByText(/^[\d,.]+ rows$/).waitFor();
  await inspect(admin, 'rule');
  await admin.getByRole('button', { name: 'Save' }).click();
  await admin.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });

  // The colleague is logged in when the role is assigned.
  const manager = await logIn('manager');
  await open(admin, 'users/manager', 'manager');
  await inspect(admin, 'user');
  await admin.getByRole('tab', { name: 'Roles' }).click();
  await choose(admin, 'Assign a role', 'Not the first order (not-the-first)');
  await admin.getByRole('button', { name: 'Assign', exact: true }).click();
  await admin.getByRole('cell', { name: 'not-the-first', exact: true }).waitFor();

  // Seen with his eyes, without changes.
  await admin.getByRole('button', { name: 'See as this user' }).click();
  await admin.getByText('You see what manager sees. Nothing can be changed.').waitFor();
  await admin.getByRole('heading', { level: 1 }).waitFor();
  await inspect(admin, 'see-as');
  await admin.getByRole('region', { name: 'Seen as another user' }).getByRole('button', { name: 'End' }).click();
  await admin.getByText('You see what manager sees. Nothing can be changed.').waitFor({ state: 'detached' });

  await open(admin, 'explain', 'Why can a user not see it?');
  await admin.getByRole('textbox', { name: 'User name' }).fill('manager');
  await choose(admin, 'Entity', 'Order (sales_Order)');
  await admin.getByRole('textbox', { name: 'Id of the instance' }).fill(ORDER);
  await admin.getByRole('button', { name: 'Explain' }).click();
  await admin.getByText('The row-level role Not the first order hides it').waitFor();
  await inspect(admin, 'explain');

  await open(admin, 'users/manager', 'manager');
  await admin.getByRole('tab', { name: 'Sessions' }).click();
  await admin.getByRole('button', { name: 'End: lintel-console' }).first().click();
  await admin.getByRole('dialog').getByRole('button', { name: 'End' }).click();
  await admin.getByText('The session has ended').waitFor();
  await manager.goto(`${system.url}/console/`);
  await manager.locator('input[type=password], [role=dialog], [role=alert]').first().waitFor();
}, 600_000);
