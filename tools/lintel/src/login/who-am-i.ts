import { environment } from '@lintel/config/environment';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { credentialsFile, readLogins } from './credentials.ts';
import type { ServerOptions } from './login.command.ts';
import { send } from './send.ts';
import { keyOf, serverOf } from './server-of.ts';

/** Shows the user of the stored login. False if there is none, or it has ended. */
export async function whoAmI({ server: named, json }: ServerOptions, terminal: Terminal): Promise<boolean> {
  const variables = environment();
  const file = credentialsFile(variables);
  const logins = readLogins(file);
  const server = serverOf(named ?? variables['LINTEL_SERVER'], logins);
  const login = logins[keyOf(server)];
  const username = login === undefined ? undefined : await usernameOf(server, file);
  if (json === true) terminal.print(JSON.stringify({ server: keyOf(server), username: username ?? null }, null, 2));
  else
    terminal.print(
      username === undefined
        ? `There is no login at ${keyOf(server)}. "lintel login" logs in.`
        : `${username} at ${keyOf(server)}`,
    );
  return username !== undefined;
}

/** The name of the user; undefined if the login has ended. */
async function usernameOf(server: URL, file: string): Promise<string | undefined> {
  const response = await send(server, file, { path: '/rest/userInfo' });
  if (response.status === 401) return undefined;
  if (!response.ok)
    throw new CommandError(`${keyOf(server)} responds with ${response.status}`, 'Try again, or ask its operator');
  return ((await response.json()) as { readonly username: string }).username;
}
