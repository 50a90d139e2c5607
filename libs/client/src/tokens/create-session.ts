import type { TokenSource } from '../connection/token-source.ts';
import { LintelError } from '../errors/lintel-error.ts';
import { finishLogin, type LoginOptions, startLogin } from './login-flow.ts';
import { createLoginStore, type Stored } from './login-store.ts';
import { CLIENT_GRANT, createRenewal, revokeToken } from './renewal.ts';
import { requestTokens, type TokenClient, type TokenResponse } from './token-endpoint.ts';
import { memoryStorage, type TokenStorage } from './token-storage.ts';

/** The client of the OAuth server, and what happens with its tokens. */
export interface SessionOptions extends TokenClient {
  /** Where tokens are kept; in memory by default. `localStorage` shares a login among the tabs of a browser. */
  readonly storage?: TokenStorage | undefined;
  /** The key of the storage; `lintel.<client id>` by default. */
  readonly storageKey?: string | undefined;
  /** Called after a login, and after the end of one. */
  readonly onChange?: ((isLoggedIn: boolean) => void) | undefined;
}

/** A login: gives each request its token, and renews the token before it expires and after it was refused. */
export interface Session extends TokenSource {
  /** A valid access token; undefined without a login. */
  token(): Promise<string | undefined>;
  /** Replaces a token that the server has refused; undefined if the login has ended. */
  renew(refused: string): Promise<string | undefined>;
  /** Whether there are tokens; the server may have ended them meanwhile. */
  isLoggedIn(): Promise<boolean>;
  /** By user name and password, for clients that have this grant. Rejects with a `LoginError`. */
  logIn(username: string, password: string): Promise<void>;
  /** As the client itself; new tokens are requested when needed. */
  logInAsClient(): Promise<void>;
  /** The address of the login page (authorization code with PKCE). Open it in this browser. */
  loginUrl(options: LoginOptions): Promise<string>;
  /** Leaves the page for the login page, in a browser. */
  redirectToLogin(options: LoginOptions): Promise<void>;
  /**
   * Finishes a login where the login page has led back to; true if `url` (in a browser: the address of the page, which
   * is then cleaned) belongs to a login.
   */
  finishLogin(url?: string): Promise<boolean>;
  /** Ends the tokens here and at the server. */
  logOut(): Promise<void>;
}

/** A token is renewed so long before its end. */
const RENEWED_BEFORE_MS = 30_000;

interface Browser {
  readonly location?: { readonly href: string; assign(url: string): void };
  readonly history?: { replaceState(data: unknown, unused: string, url: string): void };
  readonly sessionStorage?: TokenStorage;
  readonly navigator?: { readonly locks?: { request<T>(name: string, work: () => Promise<T>): Promise<T> } };
}

/** Keeps the login of a user, or of the client itself. Pass it to `createClient` as `token`. */
export function createSession(options: SessionOptions): Session {
  const { storage = memoryStorage(), storageKey = `lintel.${options.clientId}`, onChange } = options;
  const browser = globalThis as Browser;
  const pendingKey = `${storageKey}.login`;
  // It must be kept during the navigation to the login page and back.
  const pendingStorage = options.storage ?? browser.sessionStorage ?? storage;
  const store = createLoginStore(storage, storageKey);
  let finishing: Promise<boolean> | undefined;

  async function logInWith(form: Readonly<Record<string, string>>, before?: Pick<Stored, 'own'>): Promise<void> {
    const response = await requestTokens(options, form);
    await store.serially(() => store.keep(response, before));
    onChange?.(true);
  }

  // A refresh token may be valid only once: tabs that share a storage renew one after the other.
  const exclusively = <T>(work: () => Promise<T>): Promise<T> =>
    options.storage === undefined || browser.navigator?.locks === undefined
      ? work()
      : browser.navigator.locks.request(storageKey, work);
  const renew = createRenewal(options, store, exclusively);

  async function token(): Promise<string | undefined> {
    const stored = await store.load();
    const leftMs = stored?.expiresAt === undefined ? Number.POSITIVE_INFINITY : stored.expiresAt - Date.now();
    if (stored === undefined) return undefined;
    const isRenewable = stored.own === true || stored.refresh !== undefined;
    if (leftMs > (isRenewable ? RENEWED_BEFORE_MS : 0)) return stored.access;
    try {
      return await renew(stored.access);
    } catch (error) {
      // It is still valid, and may be renewed by the next request.
      if (leftMs > 0) return stored.access;
      throw error;
    }
  }

  async function finish(url: string | undefined): Promise<boolean> {
    const address = url ?? browser.location?.href ?? '';
    const cleanAddress = (): void => {
      if (url === undefined) browser.history?.replaceState(null, '', address.replace(/[?#].*/, ''));
    };
    let tokens: TokenResponse | undefined;
    try {
      tokens = address === '' ? undefined : await finishLogin(options, pendingStorage, pendingKey, address);
    } catch (error) {
      // With another state, the address may belong to something else in the page.
      if (!(error instanceof LintelError) || error.code !== 'LOGIN_STATE') cleanAddress();
      throw error;
    }
    if (tokens === undefined) return false;
    const response = tokens;
    await store.serially(() => store.keep(response));
    cleanAddress();
    onChange?.(true);
    return true;
  }

  return {
    token,
    renew,
    isLoggedIn: async () => (await store.load()) !== undefined,
    logIn: (username, password) => logInWith({ grant_type: 'password', username, password }),
    logInAsClient: () => logInWith(CLIENT_GRANT, { own: true }),
    loginUrl: (login) => startLogin(options, pendingStorage, pendingKey, login),
    async redirectToLogin(login) {
      browser.location?.assign(await startLogin(options, pendingStorage, pendingKey, login));
    },
    // Frameworks may start a page twice: a code that is sent twice would end the login.
    finishLogin(url) {
      finishing ??= finish(url).finally(() => {
        finishing = undefined;
      });
      return finishing;
    },
    async logOut() {
      const stored = await store.serially(async () => {
        const current = await store.load();
        await store.remove();
        return current;
      });
      if (stored === undefined) return;
      onChange?.(false);
      await revokeToken(options, stored.refresh ?? stored.access);
    },
  };
}
