import { createLogger } from '@lintel/telemetry';
import {
  type HostileProvider,
  PROVIDER_CLIENT,
  PROVIDER_SECRET,
  startHostileProvider,
} from '../../test/hostile-provider.ts';
import { createOpenIdProvider, type OpenIdProvider } from './openid-provider.ts';
import { openIdProviderSchema } from './provider-settings.ts';

const DEPS = {
  publicUrl: 'https://lintel.example',
  clock: { now: () => Date.now() },
  logger: createLogger({ service: 'test', level: 'silent' }),
};

let hostile: HostileProvider;
let provider: OpenIdProvider;
beforeAll(async () => {
  hostile = await startHostileProvider();
  const settings = openIdProviderSchema.parse({
    issuer: hostile.issuer,
    'client-id': PROVIDER_CLIENT,
    'client-secret': PROVIDER_SECRET,
    'user-info': 'true',
  });
  provider = createOpenIdProvider('acme', settings, DEPS);
});
afterAll(() => hostile.close());

const refreshed = () => provider.refresh('refresh token', 'subject-1');

test('a refresh has the claims of userinfo, as the login has', async () => {
  hostile.next = { refreshToken: 'next', userInfo: { sub: 'subject-1', email: 'grace@acme.example' } };
  expect(await refreshed()).toMatchObject({
    refreshToken: 'next',
    claims: { email: 'grace@acme.example', groups: ['sales'] },
  });
});

test.each([
  ['fails', undefined],
  ['is of another subject', { sub: 'subject-2', email: 'joan@acme.example' }],
])('a refresh keeps the next refresh token where userinfo %s', async (_case, userInfo) => {
  hostile.next = { refreshToken: 'next', ...(userInfo === undefined ? {} : { userInfo }) };
  expect(await refreshed()).toEqual({ refreshToken: 'next', claims: {} });
});

test.each([
  ['without metadata', (issuer: string) => `${issuer}/realms/other`, 'metadata 404'],
  [
    'whose metadata name another issuer',
    (issuer: string) => issuer.replace('127.0.0.1', 'localhost'),
    'metadata issuer',
  ],
])('a login at an issuer %s is refused with this reason', async (_case, issuerOf, message) => {
  const settings = openIdProviderSchema.parse({ issuer: issuerOf(hostile.issuer), 'client-id': PROVIDER_CLIENT });
  const other = createOpenIdProvider('acme', settings, DEPS);
  await expect(other.begin()).rejects.toMatchObject({ kind: 'refused', message });
});

test('tokens of others do not make us load the keys each time', async () => {
  const before = hostile.keyRequests();
  for (const attempt of [1, 2])
    await expect(provider.verifyLogout(await hostile.signLogout({ aud: `other ${attempt}` }))).rejects.toThrow();
  expect(hostile.keyRequests() - before).toBe(1);
});
