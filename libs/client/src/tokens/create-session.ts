import { LintelError } from '../errors/lintel-error.ts';
import { finishLogin, type LoginOptions, startLogin } from './login-flow.ts';
import { LoginError, postForm, requestTokens, type TokenClient, type TokenResponse } from './token-endpoint.ts';
import type { TokenSource } from './token-source.ts';
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

interface Stored {
  readonly access: string;
  readonly refresh?: string | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  /** Requested by the client for itself. */
  readonly own?: true;
}

/** A token is renewed so long before its end. */
const RENEWED_BEFORE_MS = 30_000;

/** The errors of the token endpoint with which a login has ended; after any other it may be renewed later. */
const ENDED = ['invalid_grant', 'invalid_token'];

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
  const renewals = new Map<string, Promise<string | undefined>>();
  let lastChange: Promise<unknown> = Promise.resolve();
  let finishing: Promise<boolean> | undefined;

  const load = async (): Promise<Stored | undefined> => {
    const text = await storage.getItem(storageKey);
    return text === null ? undefined : (JSON.parse(text) as Stored);
  };

  /** Changes of the storage are made one after the other. */
  function serially<T>(change: () => Promise<T>): Promise<T> {
    const made = lastChange.then(change);
    lastChange = made.catch(() => {});
    return made;
  }

  async function keep(response: TokenResponse, before?: Stored): Promise<string> {
    const { access_token: access, refresh_token: refresh = before?.refresh, expires_in: seconds } = response;
    const expiresAt = seconds === undefined ? undefined : Date.now() + seconds * 1000;
    const stored: Stored = { access, refresh, expiresAt, ...(before?.own && { own: true }) };
    await storage.setItem(storageKey, JSON.stringify(stored));
    return access;
  }

  const revoke = (token: string): Promise<unknown> => postForm(options, '/oauth2/revoke', { token });

  async function logInWith(form: Readonly<Record<string, string>>, before?: Pick<Stored, 'own'>): Promise<void> {
    const response = await requestTokens(options, form);
    await serially(() => keep(response, before as Stored));
    onChange?.(true);
  }

  /** New tokens for a login; undefined if it has ended. */
  async function requestRenewal({ own, refresh }: Stored): Promise<TokenResponse | undefined> {
    if (own) return requestTokens(options, CLIENT_GRANT);
    if (refresh === undefined) return undefined;
    try {
      return await requestTokens(options, { grant_type: 'refresh_token', refresh_token: refresh });
    } catch (error) {
      if (error instanceof LoginError && ENDED.includes(error.oauthError)) return undefined;
      throw error;
    }
  }

  async function renewOnce(refused: string): Promise<string | undefined> {
    const stored = await load();
    if (stored?.access !== refused) return stored?.access;
    const response = await requestRenewal(stored);
    const { access, isCurrent } = await serially(async () => {
      // Meanwhile the user may have logged out or in again, and another tab may have renewed the login.
      const current = await load();
      if (current?.access !== refused) return { access: current?.access, isCurrent: false };
      if (response !== undefined) return { access: await keep(response, stored), isCurrent: true };
      await storage.removeItem(storageKey);
      return { access: undefined, isCurrent: true };
    });
    if (isCurrent && access === undefined) onChange?.(false);
    // At the server the tokens of a later login may belong to the same grant: they would end, too.
    if (!isCurrent && access === undefined && response !== undefined) {
      await revoke(response.refresh_token ?? response.access_token);
    }
    return access;
  }

  /** One renewal of a token at a time, also among the tabs that share a storage: a refresh token may be valid only once. */
  function renew(refused: string): Promise<string | undefined> {
    const running = renewals.get(refused);
    if (running !== undefined) return running;
    const renewal = exclusively(() => renewOnce(refused)).finally(() => renewals.delete(refused));
    renewals.set(refused, renewal);
    return renewal;
  }

  const exclusively = <T>(work: () => Promise<T>): Promise<T> =>
    options.storage === undefined || browser.navigator?.locks === undefined
      ? work()
      : browser.navigator.locks.request(storageKey, work);

  async function token(): Promise<string | undefined> {
    const stored = await load();
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
    await serially(() => keep(response));
    cleanAddress();
    onChange?.(true);
    return true;
  }

  return {
    token,
    renew,
    isLoggedIn: async () => (await load()) !== undefined,
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
      const stored = await serially(async () => {
        const current = await load();
        await storage.removeItem(storageKey);
        return current;
      });
      if (stored === undefined) return;
      onChange?.(false);
      await revoke(stored.refresh ?? stored.access);
    },
  };
}

const CLIENT_GRANT = { grant_type: 'client_credentials' };
