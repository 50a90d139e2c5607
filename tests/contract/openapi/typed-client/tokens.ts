import { anonymous, asClient, dataOf, expect } from './client.ts';

const form = { ...asClient, 'content-type': 'application/x-www-form-urlencoded' };

/** Every endpoint of OAuth; returns a token to go on with. */
export async function callTokenEndpoints(username: string): Promise<string> {
  const password = { grant_type: 'password', username, password: username } as const;
  const tokens = dataOf(await anonymous.POST('/oauth/token', { body: password, headers: form }));
  expect(tokens.expires_in > 0, 'the token has a life');
  const others = dataOf(await anonymous.POST('/oauth2/token', { body: password, headers: form }));
  const state = dataOf(
    await anonymous.POST('/oauth2/introspect', { body: { token: others.access_token }, headers: form }),
  );
  expect(state.active, 'the token is active');
  await anonymous.POST('/oauth2/revoke', { body: { token: others.access_token }, headers: form, parseAs: 'text' });
  const thirds = dataOf(await anonymous.POST('/oauth2/token', { body: password, headers: form }));
  await anonymous.POST('/oauth/revoke', {
    body: { token: thirds.refresh_token ?? '' },
    headers: form,
    parseAs: 'text',
  });
  await anonymous.GET('/oauth2/authorize', {
    params: {
      query: {
        client_id: 'client',
        response_type: 'code',
        redirect_uri: 'http://127.0.0.1/callback',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      },
    },
    redirect: 'manual',
  });
  const device = dataOf(
    await anonymous.POST('/oauth2/device_authorization', {
      body: { client_id: 'lintel-cli' },
      bodySerializer: (body) => String(new URLSearchParams(body)),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    }),
  );
  expect(device.verification_uri.endsWith('/oauth2/device'), 'where the user enters the code');
  await anonymous.GET('/oauth2/device', { params: { query: { user_code: device.user_code } }, parseAs: 'text' });
  await anonymous.GET('/oauth2/logout', { parseAs: 'text' });
  await anonymous.GET('/oauth2/logout/success', { parseAs: 'text' });
  await anonymous.POST('/oauth2/logout', { body: {}, headers: form, redirect: 'manual', parseAs: 'text' });
  await anonymous.GET('/oauth2/userinfo', { headers: { authorization: `Bearer ${tokens.access_token}` } });
  await anonymous.POST('/oauth2/password', {
    body: { currentPassword: username, newPassword: 'x' },
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  const keys = dataOf(await anonymous.GET('/oauth2/jwks'));
  expect(keys.keys.length > 0, 'there is a signing key');
  const server = dataOf(await anonymous.GET('/.well-known/oauth-authorization-server'));
  const resource = dataOf(await anonymous.GET('/.well-known/oauth-protected-resource'));
  expect(resource.authorization_servers[0] === resource.resource, 'the server is at the address of the API');
  const openId = dataOf(await anonymous.GET('/.well-known/openid-configuration'));
  expect(server.issuer === openId.issuer, 'one issuer');
  return tokens.access_token;
}
