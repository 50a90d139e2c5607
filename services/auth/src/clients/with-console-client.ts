import { CONSOLE_CLIENT, CONSOLE_PATH } from '@lintel/config';
import type { AuthConfig } from '../config.ts';
import { type ClientSettings, clientSchema } from './client-settings.ts';
import { pageAddressesOf } from './page-addresses.ts';

type Clients = Readonly<Record<string, ClientSettings>>;

/** Key of the client: the name of no property below `svc.authserver.client`. */
const KEY = 'svc.console.client';
/** Where the login page sends the code, below the path of the console. */
const REDIRECT_PATH = '/login';
/** Its tokens are in a tab of a browser, which seldom lives longer. */
const REFRESH_TOKEN_LIFE = '24h';

/**
 * The clients with the one of the console, if the gateway serves it: a public client whose only redirect URI is a path
 * of the console. A configured client with this id is used as it is.
 */
export function withConsoleClient(
  clients: Clients,
  platform: Pick<AuthConfig['platform'], 'consoleEnabled' | 'issuer'>,
): Clients {
  if (!platform.consoleEnabled || Object.values(clients).some((client) => client['client-id'] === CONSOLE_CLIENT))
    return clients;
  const client = clientSchema.parse({
    'client-id': CONSOLE_CLIENT,
    'client-name': 'Console',
    'client-authentication-methods': 'none',
    'grant-types': 'authorization_code,refresh_token',
    'redirect-uris': pageAddressesOf(platform.issuer, `${CONSOLE_PATH}${REDIRECT_PATH}`),
    'refresh-token-time-to-live': REFRESH_TOKEN_LIFE,
  });
  return { ...clients, [KEY]: client };
}
