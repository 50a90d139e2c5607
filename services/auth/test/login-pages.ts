import { createHash, randomBytes } from 'node:crypto';
import { DECISION_FIELD } from '@lintel/login';
import { type RunningAuth, viaGateway } from './start-auth.ts';

/** The redirect address of the client `web`. */
export const CALLBACK = 'https://app.example/callback';

/** A browser that keeps cookies and follows redirects within the server. */
export class Browser {
  readonly #auth: RunningAuth;
  readonly #cookies = new Map<string, string>();
  headers: Record<string, string> = {};

  /** @param cookies header of another browser to start with */
  constructor(auth: RunningAuth, cookies = '') {
    this.#auth = auth;
    for (const cookie of cookies.split('; ').filter((text) => text !== '')) {
      const end = cookie.indexOf('=');
      this.#cookies.set(cookie.slice(0, end), cookie.slice(end + 1));
    }
  }

  cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** As if somebody had set them in this browser, too. */
  takeCookiesOf(other: Browser): void {
    for (const [name, value] of other.#cookies) this.#cookies.set(name, value);
  }

  async ask(address: string, form?: Record<string, string>): Promise<Response> {
    const { pathname, search } = new URL(address, this.#auth.url);
    const url = new URL(`${pathname}${search}`, this.#auth.url);
    const response = await fetch(url, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { ...viaGateway(this.headers), cookie: this.cookieHeader() },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/expires=Thu, 01 Jan 1970|max-age=0/i.test(cookie)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }

  /** Follows redirects until there is a page or the browser leaves the server. */
  async follow(
    response: Response,
  ): Promise<{ readonly left?: URL; readonly page?: string; readonly response: Response }> {
    const location = response.headers.get('location');
    if (location === null) return { page: await response.text(), response };
    const target = new URL(location, 'http://lintel.example');
    // An issuer may have another address.
    if (target.host !== 'lintel.example' && !target.pathname.startsWith('/oauth2/')) return { left: target, response };
    return this.follow(await this.ask(target.href));
  }
}

/** The PKCE verifier of all authorization requests. */
export const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

/** The URL of an authorization request. */
export const authorization = (parameters: Record<string, string> = {}): string =>
  `/oauth2/authorize?${new URLSearchParams({
    client_id: 'web',
    response_type: 'code',
    redirect_uri: CALLBACK,
    state: 'some state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...parameters,
  })}`;

/** Action and proof of the form of a page. */
export const fieldsOf = (page: string) => ({
  action: /action="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '',
  proof: /name="proof" value="([^"]+)"/.exec(page)?.[1] ?? '',
});

/** Presses the button of a page that names a client which the user has not used yet; anything else stays. */
export async function continued(browser: Browser, step: Awaited<ReturnType<Browser['follow']>>): Promise<typeof step> {
  if (step.page?.includes('<h1>Continue?</h1>') !== true) return step;
  const { action, proof } = fieldsOf(step.page);
  return browser.follow(await browser.ask(action, { proof, [DECISION_FIELD]: 'consent' }));
}

/** Actions of a user on the pages of a running auth service, and of the client afterwards. */
export function loginPages(auth: () => RunningAuth) {
  /** Opens the login page for an authorization request. */
  async function open(parameters: Record<string, string> = {}, browser = new Browser(auth())) {
    const { page, response } = await browser.follow(await browser.ask(authorization(parameters)));
    if (page === undefined) throw new Error('No page was shown');
    const fields = fieldsOf(page);
    const submit = async (form: Record<string, string>, to = fields) =>
      browser.follow(await browser.ask(to.action, { proof: to.proof, [DECISION_FIELD]: 'login', ...form }));
    return { browser, page, response, fields, submit };
  }

  async function codeFor(username: string, parameters: Record<string, string> = {}): Promise<string> {
    const { submit } = await open(parameters);
    const { left } = await submit({ username, password: username });
    return left?.searchParams.get('code') ?? '';
  }

  const redeem = (code: string, form: Record<string, string> = {}, client = 'web:secret') =>
    auth().post(
      '/oauth2/token',
      { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier, ...form },
      { client },
    );
  return { open, codeFor, redeem };
}
