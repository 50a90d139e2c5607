import { type HostileProvider, type Hostility, startHostileProvider } from '@lintel/federation/testing';
import type { TestDatabase } from '@lintel/testkit';
import { authorization, Browser, loginPages } from './login-pages.ts';
import { ASKING, clientOf, WEB } from './provider-properties.ts';
import { type SecondProvider, startSecondProvider } from './second-provider.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from './start-auth.ts';

/** A time in the past, in seconds since 1970. */
export const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;

/** An auth service with two providers: `acme`, which behaves, and `hostile`, which does what a test wants. */
export function providerLoginsOfTests() {
  let hostile: HostileProvider;
  let second: SecondProvider;
  let testDatabase: TestDatabase;
  let auth: RunningAuth;
  beforeAll(async () => {
    hostile = await startHostileProvider();
    second = await startSecondProvider(
      'https://lintel.example/as-login/provider/acme/callback',
      () => `${auth.url}/as-login/provider/acme/logout`,
    );
    testDatabase = await createAuthDatabase();
    auth = await startAuth(testDatabase, {
      properties: {
        ...WEB,
        ...ASKING,
        'svc.auth.passkeys': 'true',
        ...clientOf('acme', second.issuer),
        'svc.auth.provider.acme.title': 'Acme <SSO>',
        'svc.auth.provider.acme.resource-roles': 'sales=sales-manager, *=rest-minimal',
        ...clientOf('hostile', hostile.issuer),
        'svc.auth.provider.hostile.domains': '',
      },
    });
    await auth.addUser('clerk', { roles: ['by-hand'] });
  });
  afterAll(async () => {
    await auth.close();
    await testDatabase.drop();
    await Promise.all([hostile.close(), second.close()]);
  });
  beforeEach(() => {
    hostile.next = {};
    hostile.setAvailable(true);
  });

  const { redeem, open } = loginPages(() => auth);

  /** Presses the button of a provider; returns the authorization request that the browser is sent to. */
  async function press(
    provider: string,
    browser = new Browser(auth),
    parameters: Record<string, string> = {},
  ): Promise<{ browser: Browser; request: URL }> {
    const address = authorization({ scope: 'rest-api', ...parameters });
    const { page = '' } = await browser.follow(await browser.ask(address));
    const href = new RegExp(`href="([^"]*/provider/${provider}[^"]*)"`).exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const response = await browser.ask(href);
    expect(response.status).toBe(303);
    return { browser, request: new URL(response.headers.get('location') ?? '') };
  }

  /** A login at the second provider up to the tokens for the client. */
  async function logIn(sub: string, claims: Record<string, unknown> = {}) {
    second.account = { sub, claims: { preferred_username: sub, ...claims } };
    const { browser, request } = await press('acme');
    const back = await second.visit(request);
    const { left, page, response } = await browser.follow(await browser.ask(back.href));
    const tokens = left === undefined ? undefined : (await redeem(left.searchParams.get('code') ?? '')).json;
    return { browser, request, back, left, page, response, tokens };
  }

  const exchange = async (token: string) => (await auth.internal('/exchange', { token })).json;
  /** As if the last check of all logins was some minutes ago. */
  const age = () =>
    testDatabase.query(`UPDATE auth.federated_login SET checked_at = checked_at - interval '10 minutes'`);

  /** A login at the hostile provider: the page of the response, or where the browser left to. */
  async function attack(next: Hostility) {
    hostile.next = next;
    const { browser, request } = await press('hostile');
    const before = hostile.tokenRequests.length;
    const result = await browser.follow(await browser.ask(hostile.redirectFor(request).href));
    return { ...result, asked: hostile.tokenRequests.length - before };
  }

  return {
    ...{ press, logIn, attack, exchange, age, redeem, open },
    get auth() {
      return auth;
    },
    get testDatabase() {
      return testDatabase;
    },
    get hostile() {
      return hostile;
    },
    get second() {
      return second;
    },
  };
}
