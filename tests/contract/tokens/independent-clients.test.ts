import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { baseUrl } from '../api.ts';

/**
 * OAuth by clients that know nothing of this server but the standards: discovery, authorization code with
 * PKCE, refresh, client credentials, introspection and revocation (RFC 6749, 7636, 7009, 7662, 8414).
 */
const CALLBACK = 'http://127.0.0.1:54321/callback';
/** The address that the server itself names, which clients compare with. */
const metadata = await fetch(`${baseUrl}/.well-known/oauth-authorization-server`);
const server = new URL(((await metadata.json()) as { issuer: string }).issuer);

/** What a person does in a browser: logs in on the page that the address leads to. Returns where it goes in the end. */
async function logIn(address: URL, username: string): Promise<URL> {
  const cookies = new Map<string, string>();
  const ask = async (target: URL, form?: URLSearchParams): Promise<URL> => {
    const response = await fetch(target, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';', 1)[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) {
      const next = new URL(location, target);
      return next.host === server.host || next.host.startsWith('localhost') ? ask(next) : next;
    }
    const page = await response.text();
    const action = /action="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
    const proof = /name="proof" value="([^"]+)"/.exec(page)?.[1];
    if (action === undefined || proof === undefined) throw new Error(`No form: ${response.status} ${page}`);
    return ask(
      new URL(action, target),
      new URLSearchParams({ proof, username, password: username, response: 'login' }),
    );
  };
  return ask(address);
}

describe('openid-client', () => {
  const configuration = openid.discovery(
    server,
    'client',
    { client_secret: 'secret' },
    openid.ClientSecretBasic('secret'),
    { execute: [openid.allowInsecureRequests], algorithm: 'oauth2' },
  );

  // Asserts contract/tokens.md#clients, contract/tokens.md#endpoints, contract/tokens.md#oauth2-response.
  test('discovers the server, gets a code for a login, tokens for it and new ones by refresh', async () => {
    const config = await configuration;
    const verifier = openid.randomPKCECodeVerifier();
    const state = openid.randomState();
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'rest-api',
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const callback = await logIn(address, 'clerk');
    const tokens = await openid.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    const info = await openid.fetchProtectedResource(
      config,
      tokens.access_token,
      new URL('/rest/userInfo', server),
      'GET',
    );
    expect(await info.json()).toMatchObject({ username: 'clerk' });
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshed.access_token).not.toBe(tokens.access_token);
    const introspected = await openid.tokenIntrospection(config, refreshed.access_token);
    expect(introspected).toMatchObject({ active: true, sub: 'clerk', client_id: 'client' });
    await openid.tokenRevocation(config, refreshed.refresh_token ?? '');
    expect(await openid.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false });
  });

  test('gets an ID token that its own checks accept', async () => {
    const config = await openid.discovery(
      server,
      'client',
      { client_secret: 'secret' },
      openid.ClientSecretBasic('secret'),
      { execute: [openid.allowInsecureRequests] },
    );
    const verifier = openid.randomPKCECodeVerifier();
    const nonce = openid.randomNonce();
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid rest-api',
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const tokens = await openid.authorizationCodeGrant(config, await logIn(address, 'manager'), {
      pkceCodeVerifier: verifier,
      expectedNonce: nonce,
    });
    expect(tokens.claims()).toMatchObject({ sub: 'manager', aud: 'client' });
  });
});

describe('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true };

  test('discovers the server, gets client-credentials tokens and revokes them', async () => {
    const discovered = await oauth.discoveryRequest(server, { algorithm: 'oauth2', ...insecure });
    const as = await oauth.processDiscoveryResponse(server, discovered);
    const client = { client_id: 'integration' };
    const authentication = oauth.ClientSecretBasic('secret');
    const response = await oauth.clientCredentialsGrantRequest(as, client, authentication, {}, insecure);
    const tokens = await oauth.processClientCredentialsResponse(as, client, response);
    expect(tokens.token_type).toBe('bearer');
    const resource = await oauth.protectedResourceRequest(
      tokens.access_token,
      'GET',
      new URL('/rest/userInfo', server),
      undefined,
      undefined,
      insecure,
    );
    expect(await resource.json()).toMatchObject({ username: 'integration' });
    const revoked = await oauth.revocationRequest(as, client, authentication, tokens.access_token, insecure);
    await oauth.processRevocationResponse(revoked);
    const after = await fetch(new URL('/rest/userInfo', server), {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(after.status).toBe(401);
  });

  // Asserts contract/decisions.md#55.
  test('takes the JWT access tokens of a client that asks for them, as RFC 9068 has them', async () => {
    const discovered = await oauth.discoveryRequest(server, { algorithm: 'oauth2', ...insecure });
    const as = await oauth.processDiscoveryResponse(server, discovered);
    const client = { client_id: 'client-jwt' };
    const authentication = oauth.ClientSecretBasic('secret');
    const response = await oauth.clientCredentialsGrantRequest(as, client, authentication, {}, insecure);
    const tokens = await oauth.processClientCredentialsResponse(as, client, response);
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const request = new Request(new URL('/anything', server), { headers });
    const claims = await oauth.validateJwtAccessToken(as, request, 'lintel:api', insecure);
    expect(claims).toMatchObject({ sub: 'client-jwt', client_id: 'client-jwt', scope: 'rest-api' });
    const asked = await oauth.introspectionRequest(as, client, authentication, tokens.access_token, insecure);
    const introspected = await oauth.processIntrospectionResponse(as, client, asked);
    expect(introspected).toMatchObject({ active: true, jti: claims.jti, aud: [claims.aud], exp: claims.exp });
  });
});
