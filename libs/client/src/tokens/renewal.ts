import type { LoginStore, Stored } from './login-store.ts';
import { LoginError, postForm, requestTokens, type TokenClient, type TokenResponse } from './token-endpoint.ts';

/** The grant of a client for itself. */
export const CLIENT_GRANT = { grant_type: 'client_credentials' };

/** The errors of the token endpoint with which a login has ended; after any other it may be renewed later. */
const ENDED = ['invalid_grant', 'invalid_token'];

interface RenewalOptions extends TokenClient {
  readonly onChange?: ((isLoggedIn: boolean) => void) | undefined;
}

export const revokeToken = (client: TokenClient, token: string): Promise<unknown> =>
  postForm(client, '/oauth2/revoke', { token });

/**
 * Renews a token that was refused: one renewal of a token at a time. Resolves to the new access token, or to undefined if
 * the login has ended.
 *
 * @param exclusively runs the work alone among all that share the store
 */
export function createRenewal(
  options: RenewalOptions,
  store: LoginStore,
  exclusively: <T>(work: () => Promise<T>) => Promise<T>,
): (refused: string) => Promise<string | undefined> {
  const renewals = new Map<string, Promise<string | undefined>>();

  async function renewOnce(refused: string): Promise<string | undefined> {
    const stored = await store.load();
    if (stored?.access !== refused) return stored?.access;
    const response = await requestRenewal(options, stored);
    const { access, isCurrent } = await store.serially(async () => {
      // Meanwhile the user may have logged out or in again, and another tab may have renewed the login.
      const current = await store.load();
      if (current?.access !== refused) return { access: current?.access, isCurrent: false };
      if (response !== undefined) return { access: await store.keep(response, stored), isCurrent: true };
      await store.remove();
      return { access: undefined, isCurrent: true };
    });
    if (isCurrent && access === undefined) options.onChange?.(false);
    // At the server the tokens of a later login may belong to the same grant: they would end, too.
    if (!isCurrent && access === undefined && response !== undefined) {
      await revokeToken(options, response.refresh_token ?? response.access_token);
    }
    return access;
  }

  return (refused) => {
    const running = renewals.get(refused);
    if (running !== undefined) return running;
    const renewal = exclusively(() => renewOnce(refused)).finally(() => renewals.delete(refused));
    renewals.set(refused, renewal);
    return renewal;
  };
}

/** New tokens for a login; undefined if it has ended. */
async function requestRenewal(client: TokenClient, { own, refresh }: Stored): Promise<TokenResponse | undefined> {
  if (own) return requestTokens(client, CLIENT_GRANT);
  if (refresh === undefined) return undefined;
  try {
    return await requestTokens(client, { grant_type: 'refresh_token', refresh_token: refresh });
  } catch (error) {
    if (error instanceof LoginError && ENDED.includes(error.oauthError)) return undefined;
    throw error;
  }
}
