import { environment } from '@lintel/config/environment';
import * as openid from 'openid-client';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { credentialsFile, readLogins, type StoredLogin, saveLogins } from './credentials.ts';
import type { ServerOptions } from './login.command.ts';
import { discover, toStoredLogin } from './oauth-client.ts';
import { keyOf, serverOf } from './server-of.ts';

/** Shows the user of the stored login. False if there is none, or it has ended. */
export async function whoAmI({ server: named, json }: ServerOptions, terminal: Terminal): Promise<boolean> {
  const variables = environment();
  const file = credentialsFile(variables);
  const logins = readLogins(file);
  const server = serverOf(named ?? variables['LINTEL_SERVER'], logins);
  const login = logins[keyOf(server)];
  const username = login === undefined ? undefined : await usernameOf(server, login, file);
  if (json === true) terminal.print(JSON.stringify({ server: keyOf(server), username: username ?? null }, null, 2));
  else
    terminal.print(
      username === undefined
        ? `There is no login at ${keyOf(server)}. "lintel login" logs in.`
        : `${username} at ${keyOf(server)}`,
    );
  return username !== undefined;
}

/** The name of the user; an access token that has ended is refreshed once. */
async function usernameOf(server: URL, login: StoredLogin, file: string): Promise<string | undefined> {
  const first = await ask(server, login.accessToken);
  if (first !== undefined) return first;
  const renewed = await renew(server, login);
  if (renewed === undefined) return undefined;
  saveLogins(file, { ...readLogins(file), [keyOf(server)]: renewed });
  return ask(server, renewed.accessToken);
}

async function renew(server: URL, login: StoredLogin): Promise<StoredLogin | undefined> {
  if (login.refreshToken === undefined) return undefined;
  const config = await discover(server, login.clientId);
  try {
    const tokens = await openid.refreshTokenGrant(config, login.refreshToken);
    return toStoredLogin(login.clientId, tokens, Date.now());
  } catch (error) {
    if (error instanceof openid.ResponseBodyError && error.error === 'invalid_grant') return undefined;
    throw notRenewed(server, error);
  }
}

/** Only `invalid_grant` means that the login has ended: the user need not log in again after an outage. */
function notRenewed(server: URL, cause: unknown): unknown {
  const reason = reasonOf(cause);
  if (reason === undefined) return cause;
  return new CommandError(
    `${keyOf(server)} did not renew the login: ${reason}`,
    'Try again later; "lintel login" logs in again',
    { cause },
  );
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof openid.ResponseBodyError) return `${error.status} ${error.error}`;
  if (!(error instanceof openid.ClientError)) return undefined;
  return error.cause instanceof Response ? `it responds with ${error.cause.status}` : error.message;
}

async function ask(server: URL, token: string): Promise<string | undefined> {
  const response = await fetch(new URL('/rest/userInfo', server), {
    headers: { authorization: `Bearer ${token}` },
    redirect: 'error',
  });
  if (response.status === 401) return undefined;
  if (!response.ok)
    throw new CommandError(`${keyOf(server)} responds with ${response.status}`, 'Try again, or ask its operator');
  return ((await response.json()) as { readonly username: string }).username;
}
