import * as openid from 'openid-client';
import { CommandError } from '../command-error.ts';
import { messageOf, rootCauseOf } from '../message-of.ts';
import { readLogins, type StoredLogin, saveLogins } from './credentials.ts';
import { discover, toStoredLogin } from './oauth-client.ts';
import { keyOf } from './server-of.ts';

/** A request to the API. */
export interface SentRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Blob;
}

/**
 * Sends a request with the stored login; an access token that has ended is refreshed once.
 *
 * @param file where the logins are stored
 * @throws CommandError without a login, and if the server cannot be reached
 */
export async function send(server: URL, file: string, request: SentRequest): Promise<Response> {
  const login = readLogins(file)[keyOf(server)];
  if (login === undefined) throw new CommandError(`There is no login at ${keyOf(server)}`, '"lintel login" logs in');
  const first = await sendWith(server, login, request);
  if (first.status !== 401) return first;
  const renewed = await renew(server, login);
  if (renewed === undefined) return first;
  saveLogins(file, { ...readLogins(file), [keyOf(server)]: renewed });
  return sendWith(server, renewed, request);
}

async function sendWith(
  server: URL,
  { accessToken }: StoredLogin,
  { method = 'GET', path, headers, body }: SentRequest,
): Promise<Response> {
  try {
    return await fetch(new URL(path, server), {
      method,
      ...(body === undefined ? {} : { body }),
      headers: { ...headers, authorization: `Bearer ${accessToken}` },
      redirect: 'error',
    });
  } catch (cause) {
    const reason = messageOf(rootCauseOf(cause));
    throw new CommandError(`${keyOf(server)} cannot be reached (${reason})`, 'Check the address', { cause });
  }
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
