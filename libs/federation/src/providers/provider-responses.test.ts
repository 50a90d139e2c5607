import { createLogger } from '@lintel/telemetry';
import {
  type HostileProvider,
  PROVIDER_CLIENT,
  PROVIDER_SECRET,
  startHostileProvider,
} from '../../test/hostile-provider.ts';
import { type IssuerOfTests, json, startIssuerOfTests } from '../../test/issuer-of-tests.ts';
import { createOpenIdProvider } from '../openid/openid-provider.ts';
import { openIdProviderSchema } from '../openid/provider-settings.ts';
import { createExternalVerifier } from '../resource-server/external-verifier.ts';
import type { ResourceServerConfig } from '../resource-server/resource-server-settings.ts';

const LARGE = 'x'.repeat(256 * 1024);
const DEPS = {
  publicUrl: 'https://lintel.example',
  clock: { now: () => Date.now() },
  logger: createLogger({ service: 'test', level: 'silent' }),
};

let server: IssuerOfTests;
let hostile: HostileProvider;
let keys: { readonly keys: readonly object[] };
beforeAll(async () => {
  server = await startIssuerOfTests();
  hostile = await startHostileProvider();
  keys = (await (await fetch(`${hostile.issuer}/keys`)).json()) as typeof keys;
});
afterAll(() => Promise.all([server.close(), hostile.close()]));
beforeEach(() => {
  hostile.next = {};
  server.metadata = json(metadata());
  server.keys = json(keys);
});

const metadata = () => ({
  issuer: server.issuer,
  authorization_endpoint: `${server.issuer}/authorize`,
  token_endpoint: `${server.issuer}/token`,
  jwks_uri: `${server.issuer}/keys`,
});
const providerOf = (issuer: string) => {
  const given = { issuer, 'client-id': PROVIDER_CLIENT, 'client-secret': PROVIDER_SECRET, 'user-info': 'true' };
  return createOpenIdProvider('acme', openIdProviderSchema.parse(given), DEPS);
};
const verifierOf = (issuer: string) => {
  const config = { issuer, audience: [PROVIDER_CLIENT], jwksUrl: undefined, clockToleranceMs: 0 };
  return createExternalVerifier(config as unknown as ResourceServerConfig & { readonly issuer: string }, DEPS);
};
const TOO_LARGE = 'is too large';
const causesOf = (error: unknown): string =>
  error instanceof Error ? `${error.message}; ${causesOf(error.cause)}` : String(error);
const failureOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'accepted', causesOf);

test('metadata above 256 KiB begin no login', async () => {
  server.metadata = json({ ...metadata(), more: LARGE });
  expect(await failureOf(providerOf(server.issuer).begin())).toContain(TOO_LARGE);
});

test('tokens above 256 KiB are refused', async () => {
  hostile.next = { refreshToken: LARGE };
  expect(await failureOf(providerOf(hostile.issuer).refresh('refresh token', 'subject-1'))).toContain(TOO_LARGE);
});

test('userinfo above 256 KiB counts as failed', async () => {
  hostile.next = { refreshToken: 'next', userInfo: { sub: 'subject-1', more: LARGE } };
  const refreshed = await providerOf(hostile.issuer).refresh('refresh token', 'subject-1');
  expect(refreshed).toEqual({ refreshToken: 'next', claims: {} });
});

test('keys above 256 KiB verify no logout token', async () => {
  const token = await hostile.signLogout({ iss: server.issuer, sub: 'subject-1' });
  expect(await failureOf(providerOf(server.issuer).verifyLogout(token))).toBe('accepted');
  server.keys = json({ ...keys, more: LARGE });
  expect(await failureOf(providerOf(server.issuer).verifyLogout(token))).not.toBe('accepted');
});

test.each(['metadata', 'keys'] as const)(
  'with %s above 256 KiB no access token of an issuer is accepted',
  async (which) => {
    const token = await hostile.signLogout({ iss: server.issuer });
    const verified = () => failureOf(verifierOf(server.issuer).verify(token));
    expect(await verified()).not.toContain('cannot be checked now');
    server[which] = json({ ...(which === 'keys' ? keys : metadata()), more: LARGE });
    expect(await verified()).toContain('The token cannot be checked now');
  },
);
