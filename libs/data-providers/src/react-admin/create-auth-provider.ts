import { createAboutClient, type Permissions, type Session } from '@lintel/client';
import { mayAccess } from '../records/access-of.ts';
import { entityOf, type ProviderOptions } from '../records/record-model.ts';

/** The options of the auth provider for react-admin. */
export interface AuthProviderOptions extends ProviderOptions {
  /** Of a public client: `createSession({ baseUrl, clientId, storage })`. */
  readonly session: Session;
  /** The address of the route `/auth-callback` of the page; one of the `redirect-uris` of the client. */
  readonly redirectUri: string;
}

/** What `createAuthProvider` returns: an `AuthProvider` of react-admin. */
export interface LintelAuthProvider {
  login(): Promise<void>;
  logout(): Promise<void>;
  checkAuth(): Promise<void>;
  checkError(error: { readonly status?: number }): Promise<void>;
  handleCallback(): Promise<{ redirectTo: string }>;
  getIdentity(): Promise<{ id: string; fullName: string }>;
  getPermissions(): Promise<Permissions>;
  canAccess(params: { readonly resource: string; readonly action: string }): Promise<boolean>;
}

/** What the page has: the package needs no types of the dom library. */
interface BrowserPage {
  readonly location: { readonly pathname: string; readonly search: string; readonly hash: string };
  readonly sessionStorage: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
  };
}

const RETURN_KEY = 'lintel.react-admin.return-to';

/** An auth provider by the login page of the server: authorization code with PKCE. */
export function createAuthProvider({
  client,
  session,
  redirectUri,
  resources,
}: AuthProviderOptions): LintelAuthProvider {
  const { user } = createAboutClient(client.connection);
  const { location, sessionStorage } = globalThis as unknown as BrowserPage;
  let permissions: Promise<Permissions> | undefined;

  function load(): Promise<Permissions> {
    permissions ??= user.permissions().catch((error: unknown) => {
      permissions = undefined;
      throw error;
    });
    return permissions;
  }

  async function redirect(): Promise<void> {
    sessionStorage.setItem(RETURN_KEY, `${location.pathname}${location.search}${location.hash}`);
    await session.redirectToLogin({ redirectUri });
  }

  return {
    login: redirect,
    async logout() {
      permissions = undefined;
      await session.logOut();
    },
    async checkAuth() {
      if (!(await session.isLoggedIn())) await redirect();
    },
    async checkError({ status }) {
      if (status === 401) throw new Error('The login has ended');
    },
    async handleCallback() {
      await session.finishLogin();
      const redirectTo = sessionStorage.getItem(RETURN_KEY) ?? '/';
      sessionStorage.removeItem(RETURN_KEY);
      return { redirectTo };
    },
    async getIdentity() {
      const { username } = await user.info();
      return { id: username, fullName: username };
    },
    getPermissions: load,
    async canAccess({ resource, action }) {
      const [name = '', attribute] = resource.split('.');
      return mayAccess(await load(), entityOf(resources, name), action, attribute);
    },
  };
}
