import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { PATIENCE_MS } from '../browser-of-tests.ts';
import { violationsOf } from '../page-problems.ts';
import { passwordOf } from './start-identity-system.ts';

const PICTURES = process.env['LINTEL_TEST_PICTURES'];
const LANGUAGE = process.env['LINTEL_TEST_LANGUAGE'] ?? 'en';
const SIZES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } };

/** Somebody with a browser of their own. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts and violations of the policy. */
  readonly problems: readonly string[];
  /** Fills in the login page. */
  logIn(username: string, password?: string): Promise<void>;
  /** Expects a heading, without violations of axe, and nothing wider than the page, at two widths. */
  sees(name: string): Promise<void>;
  /** Presses the button of a form, by what it sends. */
  press(value: string): Promise<void>;
  /** Claims of the login that the application shows. */
  claims(): Promise<Readonly<Record<string, unknown>>>;
}

export async function openVisitor(browser: Browser, locale = LANGUAGE): Promise<Visitor> {
  const context = await browser.newContext({ locale, viewport: SIZES.desktop });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // The browser itself reports each status above 399, which the pages of refusals have.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text());
  });
  return {
    context,
    page,
    problems,
    async logIn(username, password = passwordOf(username)) {
      await page.locator('#username').fill(username);
      await page.locator('#password').fill(password);
      await page.locator('button[value=login]').click();
    },
    async sees(name) {
      await page.locator('h1').first().waitFor();
      for (const [size, viewport] of Object.entries(SIZES)) {
        await page.setViewportSize(viewport);
        const path = PICTURES === undefined ? undefined : join(PICTURES, `${name}-${size}-${locale}.png`);
        if (path !== undefined) await page.screenshot({ path, fullPage: true });
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect([name, size, await page.evaluate(overflow)]).toEqual([name, size, 0]);
      }
      expect([name, await violationsOf(page)]).toEqual([name, []]);
    },
    async press(value) {
      await page.locator(`button[value="${value}"]`).click();
    },
    async claims() {
      return JSON.parse((await page.locator('#claims').textContent()) ?? '');
    },
  };
}
