import { environment } from '@lintel/config/environment';
import * as openid from 'openid-client';
import type { Terminal } from '../terminal.ts';
import { credentialsFile, readLogins, saveLogins } from './credentials.ts';
import type { ServerOptions } from './login.command.ts';
import { discover } from './oauth-client.ts';
import { keyOf, serverOf } from './server-of.ts';

/** Ends the login at the server, then forgets it. A server that cannot be reached keeps the login here, too. */
export async function logOut({ server: named, json }: ServerOptions, terminal: Terminal): Promise<void> {
  const variables = environment();
  const file = credentialsFile(variables);
  const logins = readLogins(file);
  const server = serverOf(named ?? variables['LINTEL_SERVER'], logins);
  const { [keyOf(server)]: login, ...others } = logins;
  if (login !== undefined) {
    const config = await discover(server, login.clientId);
    // Either token ends the login; an expired one ends nothing, and is no error.
    await openid.tokenRevocation(config, login.refreshToken ?? login.accessToken);
    saveLogins(file, others);
  }
  const wasLoggedIn = login !== undefined;
  if (json === true) terminal.print(JSON.stringify({ server: keyOf(server), wasLoggedIn }, null, 2));
  else terminal.print(wasLoggedIn ? `Logged out of ${keyOf(server)}.` : `There was no login at ${keyOf(server)}.`);
}
