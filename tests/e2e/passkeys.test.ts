import { createHash, randomBytes } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import { as, baseUrl, send, unique } from '../contract/api.ts';
import { type Authenticator, addAuthenticator } from './add-authenticator.ts';
import { browserOfTests, PATIENCE_MS } from './browser-of-tests.ts';

const TEST_PATIENCE_MS = 180_000;
const REDIRECT = `${baseUrl}/rest/docs/explorer/oauth2-redirect.html`;
const TWO = 'urn:lintel:acr:2fa';

const browser = browserOfTests();

interface Device extends Authenticator {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts and violations of the policy. */
  readonly problems: string[];
}

/** A browser with an authenticator that confirms what it is asked. */
async function openDevice(): Promise<Device> {
  const context = await browser().newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico')) problems.push(message.text());
  });
  const { setVerified } = await addAuthenticator(page);
  return { context, page, problems, setVerified };
}

const verifier = randomBytes(32).toString('base64url');
const authorization = (more: Record<string, string> = {}) =>
  `${baseUrl}/oauth2/authorize?${new URLSearchParams({
    client_id: 'explorer',
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: 'openid rest-api',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })}`;

/** The claims of the ID token of the login that ends with a click on a button. */
async function claimsAfter(page: Page, button: string): Promise<Record<string, unknown>> {
  // The page at the address removes the code from it at once.
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.url().startsWith(`${REDIRECT}?`)),
    page.getByRole('button', { name: button }).click(),
  ]);
  await page.waitForURL((url) => url.href.startsWith(REDIRECT));
  const code = new URL(request.url()).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', client_id: 'explorer', code, redirect_uri: REDIRECT };
  const body = new URLSearchParams({ ...form, code_verifier: verifier });
  const token: string = (await send('POST', '/oauth2/token', { body })).json().id_token;
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
}

async function enterPassword(page: Page, username: string): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(`password of ${username}`);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

// Asserts contract/tokens.md#second-factor.
test(
  'a user sets up a passkey at the login, uses it as a second factor, and then without a password',
  async () => {
    const username = unique('p');
    const user = { username, password: `password of ${username}` };
    expect((await as('admin', 'POST', '/entities/sec_User', { body: user })).status).toBe(201);
    const { context, page, problems, setVerified } = await openDevice();

    await page.goto(authorization({ acr_values: TWO }));
    await enterPassword(page, username);
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    expect(await page.locator('.codes code').count()).toBe(10);
    expect(await claimsAfter(page, 'Continue')).toMatchObject({ sub: username, acr: TWO, amr: ['pwd', 'pop', 'mfa'] });

    await context.clearCookies();
    await page.goto(authorization());
    await enterPassword(page, username);
    expect(await claimsAfter(page, 'Use a passkey')).toMatchObject({
      sub: username,
      acr: TWO,
      amr: ['pwd', 'pop', 'mfa'],
    });

    await context.clearCookies();
    await page.goto(authorization());
    expect(await claimsAfter(page, 'Log in with a passkey')).toMatchObject({
      sub: username,
      acr: TWO,
      amr: ['pop', 'user', 'mfa'],
    });

    await context.clearCookies();
    await setVerified(false);
    await page.goto(authorization());
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await page.getByText('The browser has no passkey for this').waitFor();
    expect(problems).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);

// Asserts contract/tokens.md#second-factor.
test(
  'without scripts the forms of passkeys are hidden, and a password logs in',
  async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(authorization());
    expect(await page.getByRole('button', { name: 'Log in with a passkey' }).isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Log in', exact: true }).isVisible()).toBe(true);
    await context.close();
  },
  TEST_PATIENCE_MS,
);
