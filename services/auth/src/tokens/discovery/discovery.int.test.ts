import type { TestDatabase } from '@lintel/testkit';
import { CALLBACK, loginPages } from '../../../test/login-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../../test/start-auth.ts';

const CLIENT = 'svc.authserver.client';
const ISSUER = 'http://lintel.example';

let testDatabase: TestDatabase;
let auth: RunningAuth;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, {
    properties: {
      'svc.authserver.issuer': ISSUER,
      [`${CLIENT}.web.client-id`]: 'web',
      [`${CLIENT}.web.client-secret`]: 'secret',
      [`${CLIENT}.web.grant-types`]: 'authorization_code',
      [`${CLIENT}.web.redirect-uris`]: CALLBACK,
    },
  });
  await auth.addUser('anna');
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const { codeFor, redeem } = loginPages(() => auth);
const read = async (name: string) => (await fetch(`${auth.url}/.well-known/${name}`)).json();

// Asserts contract/tokens.md#discovery.
test.each(['openid-configuration', 'oauth-authorization-server'])(
  '%s names what works, and nothing else',
  async (name) => {
    expect(await read(name)).toEqual({
      issuer: ISSUER,
      acr_values_supported: ['urn:lintel:acr:1fa', 'urn:lintel:acr:2fa'],
      authorization_endpoint: `${ISSUER}/oauth2/authorize`,
      token_endpoint: `${ISSUER}/oauth2/token`,
      jwks_uri: `${ISSUER}/oauth2/jwks`,
      introspection_endpoint: `${ISSUER}/oauth2/introspect`,
      revocation_endpoint: `${ISSUER}/oauth2/revoke`,
      end_session_endpoint: `${ISSUER}/oauth2/logout`,
      userinfo_endpoint: `${ISSUER}/oauth2/userinfo`,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      response_types_supported: ['code'],
      response_modes_supported: ['form_post', 'fragment', 'query'],
      device_authorization_endpoint: `${ISSUER}/oauth2/device_authorization`,
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:device_code',
        'password',
      ],
      code_challenge_methods_supported: ['S256'],
      dpop_signing_alg_values_supported: ['ES256', 'EdDSA', 'PS256', 'RS256'],
      scopes_supported: ['openid', 'offline_access', 'profile', 'email', 'rest-api', 'reports'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic'],
      claims_supported: [
        'sub',
        'preferred_username',
        'name',
        'given_name',
        'family_name',
        'locale',
        'email',
        'acr',
        'sid',
        'auth_time',
        'iss',
      ],
      claim_types_supported: ['normal'],
      claims_parameter_supported: false,
      request_uri_parameter_supported: false,
      authorization_response_iss_parameter_supported: true,
      protected_resources: [ISSUER],
    });
  },
);

// Asserts contract/tokens.md#discovery.
test('the hardened profile does not announce the password grant', async () => {
  const hardened = await startAuth(testDatabase, { properties: { 'svc.security.profile': 'hardened' } });
  try {
    const metadata = await (await fetch(`${hardened.url}/.well-known/openid-configuration`)).json();
    expect((metadata as { grant_types_supported: string[] }).grant_types_supported).not.toContain('password');
    const resource = await (await fetch(`${hardened.url}/.well-known/oauth-protected-resource`)).json();
    expect(resource).toMatchObject({ bearer_methods_supported: ['header'] });
  } finally {
    await hardened.close();
  }
});

// Asserts contract/tokens.md#discovery.
test('the metadata of the API name the server that issues its tokens', async () => {
  expect(await read('oauth-protected-resource')).toEqual({
    resource: ISSUER,
    authorization_servers: [ISSUER],
    scopes_supported: ['rest-api'],
    bearer_methods_supported: ['header', 'query'],
  });
});

describe('a resource indicator', () => {
  // Asserts contract/tokens.md#discovery.
  test('that is the API is accepted at both endpoints, and may be repeated', async () => {
    const code = await codeFor('anna', { resource: `${ISSUER}/` });
    expect((await redeem(code, { resource: ISSUER })).status).toBe(200);
    const twice = `grant_type=client_credentials&resource=${ISSUER}&resource=${ISSUER}/`;
    expect((await auth.post('/oauth2/token', twice, { client: 'integration:secret' })).status).toBe(200);
  });

  // Asserts contract/tokens.md#discovery.
  test('that is another resource is refused, and the code still works', async () => {
    const code = await codeFor('anna');
    const refused = await redeem(code, { resource: 'https://evil.example' });
    expect([refused.status, refused.json]).toEqual([
      400,
      { error: 'invalid_target', error_description: `The only resource of this server is ${ISSUER}` },
    ]);
    expect((await redeem(code)).status).toBe(200);
  });

  // Asserts contract/tokens.md#discovery.
  test('at /oauth/token is ignored, as ever', async () => {
    const login = { grant_type: 'password', username: 'anna', password: 'anna', resource: 'https://evil.example' };
    expect((await auth.post('/oauth/token', login)).status).toBe(200);
  });
});
