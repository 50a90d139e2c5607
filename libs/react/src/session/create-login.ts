import { createConnection, createSession, LintelError, type Session, type TokenStorage } from '@lintel/client';
import { createTabStorage, type TabStorage } from './tab-storage.ts';

/** The path to which the login page leads back, below the base path. */
const CALLBACK = 'login';
/** The page of the own second factors, which wants a login of the last ten minutes. */
const SECURITY_PATH = '/as-login/security';
const SECURITY_LOGIN = { scope: 'openid', maxAge: 600 };

/** How the users of a page log in. */
export interface LoginOptions {
  /** Address of the server, without a path at the end. */
  readonly server: string;
  /** Id of a public client whose redirect URI is `<address of the page>/login`. */
  readonly clientId: string;
  /** Path of the page on its host, with slashes at both ends; that of the `base` element by default. */
  readonly basePath?: string | undefined;
  /** Where tokens are kept; by default in the memory of the tab, see `createTabStorage`. */
  readonly storage?: TokenStorage | undefined;
}

/** The login of the user of this tab. */
export interface Login {
  /** Gives each request its token. */
  readonly session: Session;
  /** What users have entered in this tab and not saved; a logout removes it. */
  readonly inputs: TabStorage;
  /** Leaves the page for the login page; afterwards the user is where the page is now. */
  redirect(): Promise<void>;
  /** Leaves the page for the passkeys and second factors of the user, after a new login if the last one is older. */
  openSecurity(): Promise<void>;
  /** Ends the login in all tabs, at the server and in the browser, then shows the login page. */
  logOut(): Promise<void>;
  /**
   * Calls the function when the server has ended the login.
   *
   * @returns a function that ends the calls
   */
  onEnd(listener: () => void): () => void;
  /** Finishes a login that has led back to the page; without a login, leaves the page for the login page. */
  ensure(): Promise<LoginState>;
}

/** What the start of the page found. */
export type LoginState = 'in' | 'leaving' | { readonly refused: string };

/** A login of a public client by authorization code with PKCE. */
export function createLogin(options: LoginOptions): Login {
  const { server: baseUrl, clientId } = options;
  const basePath = options.basePath ?? new URL('.', document.baseURI).pathname;
  /** Where the page was before the login. Not a secret. */
  const returnKey = `${clientId}.return-to`;
  const listeners = new Set<() => void>();
  let isLeaving = false;
  const session = createSession({
    baseUrl,
    clientId,
    storage: options.storage ?? createTabStorage(`${clientId}.tab`),
    onChange(isLoggedIn) {
      if (!isLoggedIn && !isLeaving) for (const listener of listeners) listener();
    },
  });

  const inputs = createTabStorage(`${clientId}.inputs`);
  const tabs = new BroadcastChannel(`${clientId}.logout`);
  // What they show stays there, until the user logs in again.
  tabs.addEventListener('message', () => void session.logOut().catch(() => undefined));

  async function redirect(
    returnTo = `${location.pathname}${location.search}${location.hash}`,
    more: { readonly scope?: string; readonly maxAge?: number } = {},
  ): Promise<void> {
    sessionStorage.setItem(returnKey, returnTo);
    await session.redirectToLogin({ redirectUri: new URL(`${basePath}${CALLBACK}`, location.origin).href, ...more });
  }

  function takeReturn(): string {
    const path = sessionStorage.getItem(returnKey);
    sessionStorage.removeItem(returnKey);
    return path?.startsWith(basePath) ? path : basePath;
  }

  return {
    session,
    inputs,
    redirect: () => redirect(),
    openSecurity: () => redirect(SECURITY_PATH, SECURITY_LOGIN),
    async logOut() {
      isLeaving = true;
      inputs.keepOnly(() => false);
      // Without a connection the tokens are forgotten all the same.
      await createConnection({ baseUrl, token: session })
        .read({ method: 'POST', path: '/logout', repeatable: true })
        .catch(() => undefined);
      await session.logOut().catch(() => undefined);
      tabs.postMessage('ended');
      await redirect(basePath);
    },
    onEnd(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async ensure() {
      const isCallback = location.pathname === `${basePath}${CALLBACK}`;
      try {
        if (isCallback && sessionStorage.getItem(returnKey) === SECURITY_PATH) {
          // The browser has the login now; the tab keeps its own.
          sessionStorage.removeItem(returnKey);
          location.replace(`${baseUrl}${SECURITY_PATH}`);
          return 'leaving';
        }
        if (isCallback && (await session.finishLogin())) {
          history.replaceState(null, '', takeReturn());
          return 'in';
        }
      } catch (error) {
        // An address of an earlier login, from the history of the browser or a bookmark: the login begins again.
        if (!(error instanceof LintelError) || error.code !== 'LOGIN_STATE')
          return { refused: error instanceof Error ? error.message : String(error) };
      }
      if (isCallback) history.replaceState(null, '', basePath);
      if (await session.isLoggedIn()) return 'in';
      await redirect();
      return 'leaving';
    },
  };
}
