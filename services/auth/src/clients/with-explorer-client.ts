import { explorerClientOf } from '@lintel/config';
import type { AuthConfig } from '../config.ts';
import { type ClientSettings, clientSchema } from './client-settings.ts';
import { pageAddressesOf } from './page-addresses.ts';

type Clients = Readonly<Record<string, ClientSettings>>;

/** Key of the client: the name of no property below `svc.authserver.client`. */
const KEY = 'svc.rest.explorer-client';
/** Where the login page sends the code, below the page of the explorer. */
const REDIRECT_PATH = '/explorer/oauth2-redirect.html';
/** Its tokens are in the memory of a page, which seldom lives longer. */
const REFRESH_TOKEN_LIFE = '24h';

/**
 * The configured clients with the one of the explorer: a public client whose only redirect URI is the page of the
 * explorer. A configured client with this id is used as it is.
 */
export function withExplorerClient({
  clients,
  platform,
  paths,
}: Pick<AuthConfig, 'clients' | 'paths'> & {
  readonly platform: Pick<AuthConfig['platform'], 'explorerClient' | 'consoleEnabled' | 'issuer'>;
}): Clients {
  const clientId = explorerClientOf(platform);
  if (clientId === undefined || Object.values(clients).some((client) => client['client-id'] === clientId))
    return clients;
  const path = `${paths.basePath}${paths.docsPath}${REDIRECT_PATH}`;
  const client = clientSchema.parse({
    'client-id': clientId,
    'client-name': 'API explorer',
    'client-authentication-methods': 'none',
    'grant-types': 'authorization_code,refresh_token',
    'redirect-uris': pageAddressesOf(platform.issuer, path),
    'refresh-token-time-to-live': REFRESH_TOKEN_LIFE,
  });
  return { ...clients, [KEY]: client };
}
