import * as openid from 'openid-client';
import { CommandError } from '../command-error.ts';
import type { StoredLogin } from './credentials.ts';
import { isLoopbackServer, keyOf } from './server-of.ts';

/**
 * Reads the metadata of the server, and prepares requests of a public client.
 *
 * @throws CommandError if the server does not respond as an authorization server
 */
export async function discover(server: URL, clientId: string): Promise<openid.Configuration> {
  try {
    return await openid.discovery(server, clientId, undefined, openid.None(), {
      algorithm: 'oauth2',
      execute: isLoopbackServer(server) ? [openid.allowInsecureRequests] : [],
    });
  } catch (cause) {
    throw new CommandError(
      `${keyOf(server)} does not respond as a server of Lintel under this address`,
      'Check --server: it is the address in svc.authserver.issuer',
      { cause },
    );
  }
}

/** A token response in the form in which it is stored. */
export const toStoredLogin = (clientId: string, tokens: openid.TokenEndpointResponse, nowMs: number): StoredLogin => ({
  clientId,
  accessToken: tokens.access_token,
  ...(tokens.refresh_token === undefined ? {} : { refreshToken: tokens.refresh_token }),
  expiresAt: Math.floor(nowMs / 1_000) + (tokens.expires_in ?? 0),
});
