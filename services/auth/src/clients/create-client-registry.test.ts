import { hashPassword } from '@lintel/passwords';
import { clientSchema } from './client-settings.ts';
import { createClientRegistry } from './create-client-registry.ts';

const HOUR_MS = 3_600_000;
const registry = (clients: Record<string, Record<string, string>>) =>
  createClientRegistry({
    clients: Object.fromEntries(Object.entries(clients).map(([name, input]) => [name, clientSchema.parse(input)])),
    platform: { apiScope: 'rest-api' },
    accessTokenTtlMs: 12 * HOUR_MS,
    refreshTokenTtlMs: 24 * HOUR_MS,
    authorizationCodeTtlMs: 300_000,
    reuseRefreshTokens: true,
  });
const CLIENT = { 'client-id': 'client', 'client-secret': 'secret' };
const PUBLIC = {
  'client-id': 'page',
  'client-authentication-methods': 'none',
  'grant-types': 'authorization_code,refresh_token',
  'redirect-uris': 'https://app.example/callback',
};

describe('the clients of the settings', () => {
  // Asserts contract/tokens.md#settings.
  test('have the defaults of the platform', () => {
    expect(registry({ demo: CLIENT }).find('client')).toEqual({
      clientId: 'client',
      name: 'client',
      authenticationMethods: new Set(['client_secret_basic']),
      isPublic: false,
      grantTypes: new Set(['client_credentials']),
      redirectUris: [],
      postLogoutRedirectUris: [],
      backchannelLogoutUri: undefined,
      scopes: ['rest-api'],
      asksForConsent: false,
      resourceRoles: [],
      rowLevelRoles: [],
      accessTokenFormat: 'reference',
      accessTokenTtlMs: 12 * HOUR_MS,
      refreshTokenTtlMs: 24 * HOUR_MS,
      authorizationCodeTtlMs: 300_000,
      reusesRefreshTokens: true,
    });
  });

  // Asserts contract/decisions.md#55, contract/tokens.md#clients.
  test('may have their own lifetimes, token format, scopes and roles', () => {
    const client = registry({
      demo: {
        ...CLIENT,
        'grant-types': 'password, refresh_token',
        scopes: 'a,b',
        'resource-roles': 'x,Y',
        'access-token-format': 'self-contained',
        'access-token-time-to-live': '5m',
        'refresh-token-time-to-live': '1h',
        'authorization-code-time-to-live': '30s',
        'reuse-refresh-tokens': 'false',
      },
    }).find('client');
    expect(client).toMatchObject({
      scopes: ['a', 'b'],
      resourceRoles: ['x', 'Y'],
      accessTokenFormat: 'self-contained',
      accessTokenTtlMs: 300_000,
      refreshTokenTtlMs: HOUR_MS,
      authorizationCodeTtlMs: 30_000,
      reusesRefreshTokens: false,
    });
  });

  // Asserts contract/tokens.md#public-clients.
  test('are public with the method none: found by their id, never authenticated, and their refresh tokens rotate', async () => {
    const clients = registry({ page: PUBLIC, demo: CLIENT });
    expect(clients.findPublic('page')).toMatchObject({ isPublic: true, reusesRefreshTokens: false });
    expect([clients.findPublic('client'), clients.findPublic('nobody')]).toEqual([undefined, undefined]);
    for (const method of ['none', 'client_secret_basic', 'client_secret_post'] as const)
      expect(await clients.authenticate({ clientId: 'page', clientSecret: '' }, method)).toBeUndefined();
  });

  // Asserts contract/tokens.md#clients, contract/tokens.md#request.
  test.each([
    ['the plain secret', 'secret', 'secret'],
    ['a secret marked {noop}', '{noop}secret', 'secret'],
    ['a secret with signs that forms encode', 'a+b%2F c', 'a+b%2F c'],
    ['a form-encoded secret', 'a+b/c', encodeURIComponent('a+b/c')],
  ])('authenticate with %s', async (_kind, configured, given) => {
    const clients = registry({ demo: { ...CLIENT, 'client-secret': configured } });
    const client = await clients.authenticate({ clientId: 'client', clientSecret: given });
    expect(client?.clientId).toBe('client');
  });

  // Asserts contract/tokens.md#clients.
  test.each([
    ['client_secret_basic', true, false],
    ['client_secret_post', false, true],
    ['client_secret_basic,client_secret_post', true, true],
  ])('of the methods %s: basic %p, post %p', async (methods, basic, post) => {
    const clients = registry({ demo: { ...CLIENT, 'client-authentication-methods': methods } });
    const credentials = { clientId: 'client', clientSecret: 'secret' };
    expect((await clients.authenticate(credentials, 'client_secret_basic')) !== undefined).toBe(basic);
    expect((await clients.authenticate(credentials, 'client_secret_post')) !== undefined).toBe(post);
  });

  // Asserts contract/tokens.md#clients.
  test('authenticate with the secret of a configured argon2id hash, not with the hash', async () => {
    const stored = await hashPassword('secret');
    const clients = registry({ demo: { ...CLIENT, 'client-secret': stored } });
    expect(await clients.authenticate({ clientId: 'client', clientSecret: 'secret' })).toBeDefined();
    expect(await clients.authenticate({ clientId: 'client', clientSecret: stored })).toBeUndefined();
  });

  test.each([
    ['client', 'Secret'],
    ['client', ''],
    ['client', '{noop}secret'],
    ['Client', 'secret'],
    ['constructor', 'secret'],
    ['client%', 'secret'],
  ])('do not authenticate as %s with %j', async (clientId, clientSecret) => {
    expect(await registry({ demo: CLIENT }).authenticate({ clientId, clientSecret })).toBeUndefined();
  });

  // Asserts contract/tokens.md#clients.
  test.each([
    ['two with one id', { a: CLIENT, b: CLIENT }, /client-id: client is the id of another client/],
    [
      'codes without a redirect',
      { a: { ...CLIENT, 'grant-types': 'authorization_code' } },
      /authorization_code needs redirect-uris/,
    ],
    ['refresh tokens alone', { a: { ...CLIENT, 'grant-types': 'refresh_token' } }, /needs another grant/],
    ['no secrets', { a: { 'client-id': 'client' } }, /client-secret is missing/],
    ['public ones with a secret', { a: { ...PUBLIC, 'client-secret': 'secret' } }, /has no client-secret/],
    [
      'public ones with another method',
      { a: { ...PUBLIC, 'client-authentication-methods': 'none,client_secret_basic' } },
      /the method none excludes/,
    ],
    [
      'public ones with a grant that needs a secret',
      { a: { ...PUBLIC, 'grant-types': 'authorization_code,client_credentials' } },
      /not client_credentials/,
    ],
    [
      'public ones whose refresh tokens are reused',
      { a: { ...PUBLIC, 'reuse-refresh-tokens': 'true' } },
      /reuse-refresh-tokens is false/,
    ],
    [
      'private_key_jwt without keys',
      { a: { 'client-id': 'a', 'client-authentication-methods': 'private_key_jwt' } },
      /need each other/,
    ],
    [
      'keys that cannot verify',
      { a: { 'client-id': 'a', 'client-authentication-methods': 'private_key_jwt', jwks: '{"keys":[{"kty":"EC"}]}' } },
      /client\.a: jwks: /,
    ],
    ['a life of nothing', { a: { ...CLIENT, 'access-token-time-to-live': '0s' } }, /at least one second/],
  ])('are refused where there are %s', (_what, clients, problem) => {
    expect(() => registry(clients as never)).toThrow(problem);
  });

  // Asserts contract/tokens.md#clients.
  test.each([
    [{ ...CLIENT, 'grant-types': 'password,magic' }, /some of password/],
    [{ ...CLIENT, 'redirect-uris': 'nowhere' }, /expected absolute URLs/],
    [{ ...CLIENT, 'redirect-uris': 'https://*.app.example/callback' }, /"redirect-uris"[^}]*wildcard/],
    [{ ...CLIENT, 'post-logout-redirect-uris': 'https://app.example/*' }, /"post-logout-redirect-uris"[^}]*wildcard/],
    [{ ...CLIENT, 'client-id': 'gr\u00fc\u00dfe' }, /"client-id"[^}]*expected printable ASCII/],
    [{ ...CLIENT, 'client-authentication-methods': 'magic' }, /some of client_secret_basic/],
    [{ ...CLIENT, jwks: '{}' }, /public keys/],
    [{ ...CLIENT, jwks: '{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}' }, /public keys/],
    [{ ...CLIENT, jwks: '{"keys":[{"kty":"EC","d":"x"}]}' }, /public keys/],
    [{ ...CLIENT, 'access-token-format': 'jwt' }, /reference.*self-contained/],
  ])('cannot be read from %j', (input, problem) => {
    expect(() => clientSchema.parse(input)).toThrow(problem);
  });
});
