import { toBase64Url } from '../connection/paths.ts';
import { randomText } from '../connection/random-text.ts';
import { LintelError } from '../errors/lintel-error.ts';
import { requestTokens, type TokenClient, type TokenResponse } from './token-endpoint.ts';
import type { TokenStorage } from './token-storage.ts';

/** What a login by the login page needs. */
export interface LoginOptions {
  /** Where the login page leads back to; one of the `redirect-uris` of the client. */
  readonly redirectUri: string;
  /** Scopes with blanks; without it the server decides. */
  readonly scope?: string | undefined;
  /** The user logs in again if the last login in the browser is longer ago, in seconds (OpenID Connect `max_age`). */
  readonly maxAge?: number | undefined;
}

/** A login in progress, kept while the user is at the login page. */
interface Pending {
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** How many logins may be in progress at once, in several tabs; of older ones nothing is kept. */
const MAX_PENDING = 5;

/** Notes a login in progress under a key of its own, so that tabs which log in at once do not disturb each other. */
async function keepPending(storage: TokenStorage, key: string, pending: Pending): Promise<void> {
  const states = [...((await storage.getItem(key)) ?? '').split(' ').filter(Boolean), pending.state];
  for (const state of states.splice(0, states.length - MAX_PENDING)) await storage.removeItem(`${key}.${state}`);
  await storage.setItem(key, states.join(' '));
  await storage.setItem(`${key}.${pending.state}`, JSON.stringify(pending));
}

/** The address of the login page, by the authorization code flow with PKCE. */
export async function startLogin(
  client: TokenClient,
  storage: TokenStorage,
  key: string,
  { redirectUri, scope, maxAge }: LoginOptions,
): Promise<string> {
  const pending: Pending = { state: randomText(), verifier: randomText(), redirectUri };
  await keepPending(storage, key, pending);
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    state: pending.state,
    code_challenge: await challengeOf(pending.verifier),
    code_challenge_method: 'S256',
    ...(scope !== undefined && { scope }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
  });
  return `${client.baseUrl.replace(/\/+$/, '')}/oauth2/authorize?${parameters}`;
}

/**
 * The tokens for the address to which the login page led back; undefined if it is not such an address.
 *
 * @throws LintelError `LOGIN_REFUSED`, or `LOGIN_STATE` for an address that does not belong to this login
 */
export async function finishLogin(
  client: TokenClient,
  storage: TokenStorage,
  key: string,
  callback: string,
): Promise<TokenResponse | undefined> {
  const parameters = new URL(callback).searchParams;
  const [state, code, refusal] = ['state', 'code', 'error'].map((name) => parameters.get(name));
  if (state === null || state === undefined || (code === null && refusal === null)) return undefined;
  const stored = await storage.getItem(`${key}.${state}`);
  if (stored === null) {
    throw new LintelError('LOGIN_STATE', 'This address does not belong to a login that was started here');
  }
  // A code works once.
  await storage.removeItem(`${key}.${state}`);
  if (typeof code !== 'string') {
    throw new LintelError('LOGIN_REFUSED', `${refusal}: ${parameters.get('error_description') ?? 'not logged in'}`);
  }
  const pending = JSON.parse(stored) as Pending;
  return requestTokens(client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: pending.redirectUri,
    code_verifier: pending.verifier,
  });
}

/** The challenge of a verifier by the method `S256` (RFC 7636). */
async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return toBase64Url(new Uint8Array(digest));
}
