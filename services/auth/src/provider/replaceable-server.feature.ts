import type { TokenLookup } from '../tokens/token-lookup.ts';
import { createOAuthServer, type OAuthServer, type OAuthServerDeps } from './create-oauth-server.ts';

/** The server of OAuth, which is created again after a change of what oidc-provider reads only at that time. */
export interface ReplaceableServer {
  current(): OAuthServer;
  /** Creates the server again; if that fails, the old one stays. */
  replace(): Promise<void>;
  /** The tokens of the server that is current at each call. */
  readonly tokens: TokenLookup;
}

/**
 * oidc-provider has no state in memory that a replacement would lose.
 *
 * @throws Error if oidc-provider refuses the metadata of a client
 */
export async function createReplaceableServer(deps: OAuthServerDeps): Promise<ReplaceableServer> {
  let server = await createOAuthServer(deps);
  return {
    current: () => server,
    async replace() {
      server = await createOAuthServer(deps);
    },
    tokens: {
      findAccessToken: (token) => server.tokens.findAccessToken(token),
      find: (token, hint) => server.tokens.find(token, hint),
    },
  };
}
