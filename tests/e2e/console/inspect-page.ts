import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { violationsOf } from '../page-problems.ts';

/** A folder in which pictures of all pages are stored. */
const PICTURES = process.env['LINTEL_TEST_PICTURES'];
/** A folder for those of the guide, `docs/images/console`. */
const GUIDE_PICTURES = process.env['LINTEL_GUIDE_PICTURES'];
/** The names of pages in the guide, by those in the tests. */
const GUIDE_PAGES: Readonly<Record<string, string>> = {
  'sign-in': 'sign-in',
  list: 'list',
  form: 'form',
  'rights-matrix': 'rights-matrix',
  'see-as': 'see-as',
  explain: 'explanation',
  'report-preview': 'report-preview',
  'dead-letters': 'dead-letters',
  webhook: 'webhooks',
  texts: 'texts',
  logins: 'login-history',
  providers: 'identity-providers',
  'unreferenced-files': 'unreferenced-files',
  'report-compared': 'report-versions',
  'other-texts': 'other-texts',
  history: 'history',
  bin: 'bin',
};
/** Pages that the guide shows on a phone, too. */
const ON_PHONE: ReadonlySet<string> = new Set(['sign-in', 'list', 'form']);
const QUALITY = 72;

const DESKTOP = { width: 1280, height: 850 };
const PHONE = { width: 375, height: 740 };
const VIEWS = [
  { name: 'desktop', colorScheme: 'light', viewport: DESKTOP },
  { name: 'phone-dark', colorScheme: 'dark', viewport: PHONE },
  { name: 'desktop-dark', colorScheme: 'dark', viewport: DESKTOP },
  { name: 'phone', colorScheme: 'light', viewport: PHONE },
] as const;

const ENDED_ANIMATIONS = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished))`;

/**
 * The page has no problem of axe and does not scroll sideways, on a desktop and on a phone, light and dark; stores
 * pictures of it where a folder is given. The page is as wide as a desktop and light afterwards.
 *
 * @param at what the pictures begin with; the begin of the page unless given
 * @param pointed the pointer is on it
 */
export async function inspectPage(page: Page, name: string, at?: Locator, pointed?: Locator): Promise<void> {
  for (const { name: view, colorScheme, viewport } of VIEWS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await pointed?.hover();
    // A change of the colours is shown with the next frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    // What fades in or out has a low contrast meanwhile.
    await page.evaluate(ENDED_ANIMATIONS);
    const problems = await violationsOf(page);
    const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    await at?.evaluate((element: { scrollIntoView(): void }) => element.scrollIntoView());
    await storePicture(page, PICTURES, `${name}-${view}`);
    const inGuide = GUIDE_PAGES[name];
    if (inGuide !== undefined && (view === 'desktop' || (view === 'phone-dark' && ON_PHONE.has(name))))
      await storePicture(page, GUIDE_PICTURES, `${inGuide}-${view}`);
    expect([name, view, problems, isWide]).toEqual([name, view, [], false]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(DESKTOP);
}

/** Stores a picture of what is visible, as WebP. */
async function storePicture(page: Page, folder: string | undefined, name: string): Promise<void> {
  if (folder === undefined) return;
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await session.detach();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
}
