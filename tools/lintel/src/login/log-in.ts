import { environment } from '@lintel/config/environment';
import * as openid from 'openid-client';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { credentialsFile, readLogins, saveLogins } from './credentials.ts';
import type { LoginOptions } from './login.command.ts';
import { discover, toStoredLogin } from './oauth-client.ts';
import { keyOf, serverOf } from './server-of.ts';

/**
 * Logs in by the device flow (RFC 8628): shows a code and the address where a user enters it, waits, and stores the
 * tokens in a file that only the user of this machine can read.
 *
 * @throws CommandError if the user refuses, the code expires, or the client may not log in this way
 */
export async function logIn({ server: named, client, json }: LoginOptions, terminal: Terminal): Promise<void> {
  const variables = environment();
  const file = credentialsFile(variables);
  const logins = readLogins(file);
  const server = serverOf(named ?? variables['LINTEL_SERVER'], logins);
  const config = await discover(server, client);
  const device = await explaining(client, () => openid.initiateDeviceAuthorization(config, {}));
  terminal.note(`Open ${device.verification_uri_complete ?? device.verification_uri}`);
  terminal.note(`and compare the code: ${device.user_code}`);
  const tokens = await terminal.during('Waiting for the login in the browser', () =>
    explaining(client, () => openid.pollDeviceAuthorizationGrant(config, device)),
  );
  saveLogins(file, { ...readLogins(file), [keyOf(server)]: toStoredLogin(client, tokens, Date.now()) });
  if (json === true) terminal.print(JSON.stringify({ server: keyOf(server), client, file }, null, 2));
  else terminal.print(`Logged in at ${keyOf(server)}. The login is stored in ${file}.`);
}

/** A 401 has a challenge instead of a body that is read: the server does not know the client. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof openid.WWWAuthenticateChallengeError) return 'invalid_client';
  return error instanceof openid.ResponseBodyError ? error.error : undefined;
}

/** Says what the errors of the device flow mean. */
async function explaining<T>(client: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    switch (codeOf(error)) {
      case 'access_denied':
        throw new CommandError('The login was refused in the browser', 'Run the command again');
      case 'expired_token':
        throw new CommandError('The code was not entered in time', 'Run the command again');
      case 'invalid_client':
      case 'unauthorized_client':
        throw new CommandError(
          `The server has no public client ${client} with the device grant`,
          'Name another one with --client, or add it to the server: docs/guide/clients.md#device-flow',
        );
      default:
        throw error;
    }
  }
}
