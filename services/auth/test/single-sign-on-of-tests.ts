import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestDatabase } from '@lintel/testkit';
import { authorization, type Browser, CALLBACK, continued, loginPages } from './login-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from './start-auth.ts';

const CLIENT = 'svc.authserver.client';
export const AFTER_LOGOUT = 'https://app.example/bye';

/** Properties of a client that uses the login page. */
export const clientOf = (name: string, more: Record<string, string> = {}) => ({
  [`${CLIENT}.${name}.client-id`]: name,
  [`${CLIENT}.${name}.client-secret`]: 'secret',
  [`${CLIENT}.${name}.grant-types`]: 'authorization_code,refresh_token',
  [`${CLIENT}.${name}.redirect-uris`]: CALLBACK,
  ...Object.fromEntries(Object.entries(more).map(([member, value]) => [`${CLIENT}.${name}.${member}`, value])),
});

/** The proof of a page, which its form sends. */
export const xsrfOf = (page = '') => /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
export const logoutPath = (parameters: Record<string, string> = {}) =>
  `/oauth2/logout?${new URLSearchParams(parameters)}`;

/**
 * An auth service with clients whose logins are shared in a browser, and a server that receives their logout tokens.
 */
export function singleSignOnOfTests() {
  let testDatabase: TestDatabase;
  let auth: RunningAuth;
  let receiver: Server;
  const received: string[] = [];

  beforeAll(async () => {
    testDatabase = await createAuthDatabase();
    receiver = createServer((request: IncomingMessage, response) => {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => {
        received.push(`${request.method} ${text}`);
        response.writeHead(request.url === '/broken' ? 500 : 200).end();
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => receiver.once('listening', resolve));
    const { port } = receiver.address() as AddressInfo;
    auth = await startAuth(testDatabase, {
      properties: {
        'svc.authserver.issuer': 'http://lintel.example',
        'svc.authserver.backchannel-logout-allowed-networks': '127.0.0.1',
        ...clientOf('web', {
          'client-name': 'The <Shop>',
          'post-logout-redirect-uris': AFTER_LOGOUT,
          'backchannel-logout-uri': `http://127.0.0.1:${port}/logout`,
        }),
        ...clientOf('other', { 'backchannel-logout-uri': `http://127.0.0.1:${port}/broken` }),
        ...clientOf('asking', { 'require-authorization-consent': 'true' }),
        ...clientOf('native', { 'redirect-uris': 'http://127.0.0.1/callback' }),
        ...clientOf('jwt', { 'access-token-format': 'self-contained' }),
      },
    });
  });
  beforeEach(() => {
    received.length = 0;
  });
  afterAll(async () => {
    await auth?.close();
    receiver?.close();
    await testDatabase?.drop();
  });

  const { open, redeem } = loginPages(() => auth);
  let number = 0;
  const newUser = async (): Promise<string> => {
    number += 1;
    await auth.addUser(`user${number}`);
    return `user${number}`;
  };
  const isOpen = async (token: string) => (await auth.internal('/exchange', { token })).status === 200;

  /** A browser in which a user has logged in. */
  async function loggedIn(username: string, parameters: Record<string, string> = {}) {
    const { browser, submit } = await open(parameters);
    const { left } = await submit({ username, password: username });
    return { browser, code: left?.searchParams.get('code') ?? '' };
  }
  const authorize = async (browser: Browser, parameters: Record<string, string> = {}) =>
    browser.follow(await browser.ask(authorization(parameters)));
  /** The same, with the button of a page that names a new client. */
  const goOn = async (browser: Browser, parameters: Record<string, string> = {}) =>
    continued(browser, await authorize(browser, parameters));
  /** `code` for a code without a page, the heading of a page, or the error that the client receives. */
  async function outcome(browser: Browser, parameters: Record<string, string> = {}): Promise<string | undefined> {
    const { page, left } = await authorize(browser, parameters);
    if (page !== undefined) return /<h1>(.*?)<\/h1>/.exec(page)?.[1];
    return left?.searchParams.get('error') ?? (left?.searchParams.has('code') === true ? 'code' : undefined);
  }
  const tokensOf = async (code: string, client = 'web:secret') => (await redeem(code, {}, client)).json;
  /** Opens the page of a logout and presses its button. */
  async function logOut(browser: Browser, parameters: Record<string, string> = {}, form = { logout: 'yes' } as object) {
    const { page } = await browser.follow(await browser.ask(logoutPath(parameters)));
    return browser.follow(await browser.ask('/oauth2/logout/confirm', { xsrf: xsrfOf(page), ...form }));
  }

  return {
    ...{ newUser, isOpen, loggedIn, authorize, goOn, outcome, tokensOf, logOut, open, redeem, received },
    get auth() {
      return auth;
    },
    get testDatabase() {
      return testDatabase;
    },
    /** The address to which clients receive logout tokens. */
    get logoutAddress() {
      return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/logout`;
    },
  };
}
