import { createAboutClient, type Permissions, type Session } from '@lintel/client';
import { mayAccess } from '../records/access-of.ts';
import { entityOf, type ProviderOptions } from '../records/record-model.ts';

/** The options of the auth provider for Refine. */
export interface AuthProviderOptions extends Pick<ProviderOptions, 'client'> {
  /** Of a public client: `createSession({ baseUrl, clientId, storage })`. */
  readonly session: Session;
  /** The address to which the login page leads back; one of the `redirect-uris` of the client. */
  readonly redirectUri: string;
}

/** The result of a step of the login. */
export type AuthResult = { success: boolean; redirectTo?: string };

/** What `createAuthProvider` returns: an `AuthProvider` of Refine. */
export interface LintelRefineAuthProvider {
  login(): Promise<AuthResult>;
  logout(): Promise<AuthResult>;
  check(): Promise<{ authenticated: boolean; logout?: boolean; redirectTo?: string }>;
  onError(error: { readonly statusCode?: number }): Promise<{ logout?: boolean; redirectTo?: string }>;
  getIdentity(): Promise<{ id: string; name: string }>;
  getPermissions(): Promise<Permissions>;
}

/**
 * An auth provider by the login page of the server: authorization code with PKCE. `check` finishes a login that has led
 * back to the page, and leaves the page for the login page where there is none.
 */
export function createAuthProvider({ client, session, redirectUri }: AuthProviderOptions): LintelRefineAuthProvider {
  const { user } = createAboutClient(client.connection);
  return {
    async login() {
      await session.redirectToLogin({ redirectUri });
      return { success: true };
    },
    async logout() {
      await session.logOut();
      return { success: true, redirectTo: '/' };
    },
    async check() {
      await session.finishLogin();
      if (await session.isLoggedIn()) return { authenticated: true };
      await session.redirectToLogin({ redirectUri });
      return { authenticated: false };
    },
    onError: async ({ statusCode }) => (statusCode === 401 ? { logout: true } : {}),
    async getIdentity() {
      const { username } = await user.info();
      return { id: username, name: username };
    },
    getPermissions: () => user.permissions(),
  };
}

/** What Refine asks about an action. */
export interface CanParams {
  readonly resource?: string;
  readonly action: string;
}

/** An access control provider of Refine by the permissions of the user, which are read once. */
export function createAccessControlProvider({ client, resources }: ProviderOptions) {
  const { user } = createAboutClient(client.connection);
  let permissions: Promise<Permissions> | undefined;
  return {
    async can({ resource, action }: CanParams): Promise<{ can: boolean; reason?: string }> {
      if (resource === undefined) return { can: true };
      permissions ??= user.permissions().catch((error: unknown) => {
        permissions = undefined;
        throw error;
      });
      const entity = entityOf(resources, resource);
      return mayAccess(await permissions, entity, action)
        ? { can: true }
        : { can: false, reason: `You may not ${action} ${resource}` };
    },
  };
}
