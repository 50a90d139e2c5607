import { basic } from './credentials.js';
import { Login } from './login.js';

/** Page and opener share the channel; only pages of the same origin hear it. */
export const CHANNEL = 'lintel-explorer-oauth2';

/** @typedef {{ accessToken: string, refreshToken?: string, expiresIn?: number }} Tokens */

/**
 * Requests tokens.
 *
 * @param {string} tokenUrl
 * @param {{ id: string, secret: string }} client without a secret it is a public one
 * @param {Record<string, string>} grant
 * @returns {Promise<Tokens>}
 * @throws {Error} with the error of the server; `isFinal` if another attempt is of no use
 */
export async function requestTokens(tokenUrl, client, grant) {
  const isPublic = client.secret === '';
  const response = await fetch(tokenUrl, {
    method: 'POST',
    headers: isPublic ? {} : { authorization: basic(client) },
    body: new URLSearchParams(isPublic ? { ...grant, client_id: client.id } : grant),
  });
  const text = await response.text();
  const body = parse(text);
  if (response.ok && typeof body.access_token === 'string')
    return { accessToken: body.access_token, refreshToken: body.refresh_token, expiresIn: body.expires_in };
  const message = [`${response.status}`, body.error, body.error_description].filter(Boolean).join(': ');
  throw Object.assign(new Error(message), { isFinal: [400, 401, 403].includes(response.status) });
}

/**
 * A login with tokens of the server, which renews them.
 *
 * @param {string} tokenUrl
 * @param {{ id: string, secret: string }} client
 * @param {Tokens} tokens
 */
export const loginOf = (tokenUrl, client, tokens) =>
  new Login(tokens, (refreshToken) =>
    requestTokens(tokenUrl, client, { grant_type: 'refresh_token', refresh_token: refreshToken }),
  );

/**
 * Ends a login: its tokens, and the login in the browser that they came of.
 *
 * @param {string} logoutUrl
 * @param {Login} login
 * @throws {Error} if the server has not ended it
 */
export async function logOut(logoutUrl, login) {
  const authorization = `Bearer ${await login.accessToken()}`;
  const { ok, status } = await fetch(logoutUrl, { method: 'POST', headers: { authorization } });
  // 401: it has ended already.
  if (!ok && status !== 401) throw new Error(`${status}: the logout has failed`);
  login.close();
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/**
 * Has the user log in on the page of the server, in a window of its own: authorization code with PKCE (RFC 7636).
 *
 * @param {{ authorizationUrl: string, tokenUrl: string }} flow
 * @param {{ id: string, secret: string }} client
 * @param {AbortSignal} signal
 * @returns {Promise<Tokens>}
 */
export async function authorizeByCode({ authorizationUrl, tokenUrl }, client, signal) {
  if (crypto.subtle === undefined) throw new Error('PKCE needs a page that was loaded by HTTPS, or from this machine');
  const redirectUri = new URL('oauth2-redirect.html', import.meta.url).href;
  const verifier = randomText();
  const state = randomText();
  const url = new URL(authorizationUrl);
  const challenge = base64Url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)));
  const parameters = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const received = redirected(state, signal);
  if (window.open(url, '_blank', 'popup,width=520,height=680') === null)
    throw new Error('The browser has blocked the window of the login page');
  const result = await received;
  if (result.code === null) throw new Error([result.error, result.description].filter(Boolean).join(': '));
  const grant = {
    grant_type: 'authorization_code',
    code: result.code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  return requestTokens(tokenUrl, client, grant);
}

/** Resolves with the parameters of the redirect that has the state. */
function redirected(state, signal) {
  return new Promise((resolve, reject) => {
    const channel = new BroadcastChannel(CHANNEL);
    const abort = () => {
      channel.close();
      reject(Object.assign(new Error('The login was cancelled'), { isAborted: true }));
    };
    signal.addEventListener('abort', abort, { once: true });
    channel.addEventListener('message', ({ data }) => {
      if (data.state !== state) return;
      channel.close();
      signal.removeEventListener('abort', abort);
      resolve(data);
    });
  });
}

const randomText = () => base64Url(crypto.getRandomValues(new Uint8Array(32)));

const base64Url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
