import { explorerClientOf } from '@lintel/config';
import type { AuthConfig } from '../config.ts';
import { type ClientSettings, clientSchema } from './client-settings.ts';

type Clients = Readonly<Record<string, ClientSettings>>;

/** Key of the client: the name of no property below `svc.authserver.client`. */
const KEY = 'svc.rest.explorer-client';
/** Where the login page sends the code, below the page of the explorer. */
const REDIRECT_PATH = '/explorer/oauth2-redirect.html';
/** Its tokens are in the memory of a page, which seldom lives longer. */
const REFRESH_TOKEN_LIFE = '24h';
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The configured clients with the one of the explorer: a public client whose only redirect URI is the page of the
 * explorer. A configured client with this id is used as it is.
 */
export function withExplorerClient({
  clients,
  platform,
  paths,
}: Pick<AuthConfig, 'clients' | 'paths'> & {
  readonly platform: Pick<AuthConfig['platform'], 'explorerClient' | 'issuer'>;
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
    'redirect-uris': addressesOf(platform.issuer).map((address) => `${address}${path}`),
    'refresh-token-time-to-live': REFRESH_TOKEN_LIFE,
  });
  return { ...clients, [KEY]: client };
}

/** The public address; on this machine with all of its names, because a browser may have loaded the page by any. */
function addressesOf(issuer: string): readonly string[] {
  const address = issuer.replace(/\/+$/, '');
  const { hostname } = new URL(address);
  if (!LOOPBACK_HOSTS.includes(hostname)) return [address];
  return LOOPBACK_HOSTS.map((host) => address.replace(hostname, host));
}
