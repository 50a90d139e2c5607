import { type SamlIdentityProvider, startSamlIdentityProvider } from '../../../test/saml-identity-provider.ts';
import { SAML_SETTINGS } from '../saml-settings.ts';
import { createIdentityProviderSource } from './identity-provider-source.ts';

let acme: SamlIdentityProvider;
beforeAll(async () => {
  acme = await startSamlIdentityProvider('acme');
});
afterAll(() => acme.close());

const MINUTE_MS = 60_000;

function sourceOf(given: Readonly<Record<string, string>>) {
  const none = Object.fromEntries(Object.keys(SAML_SETTINGS).map((member) => [member, undefined]));
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const settings = { ...none, issuer: acme.issuer, ...given } as Parameters<typeof createIdentityProviderSource>[0];
  const logger = { warn: () => undefined };
  return { clock, source: createIdentityProviderSource(settings, { clock, logger, provider: 'acme' }) };
}

test('metadata are read once an hour, and for unknown signatures at most every half minute', async () => {
  const { clock, source } = sourceOf({ 'metadata-url': acme.metadataUrl });
  const before = acme.metadataRequests();
  const first = await source.current();
  expect(first).toMatchObject({ signOnUrl: acme.signOnUrl, logoutUrl: expect.stringContaining('/logout') });
  for (const _attempt of [1, 2, 3]) expect(await source.newerThan(first)).toBeUndefined();
  clock.nowMs = MINUTE_MS - 1;
  await source.current();
  expect(acme.metadataRequests() - before).toBe(1);
  acme.rotate();
  const second = await source.newerThan(first);
  expect(second?.certificates).not.toEqual(first.certificates);
  expect(await source.newerThan(second ?? first)).toBeUndefined();
  clock.nowMs = 2 * 60 * MINUTE_MS;
  await source.current();
  expect(acme.metadataRequests() - before).toBe(3);
});

test('while the provider is away, its metadata stay in use', async () => {
  const { clock, source } = sourceOf({ 'metadata-url': acme.metadataUrl });
  const known = await source.current();
  acme.setAvailable(false);
  clock.nowMs = 2 * 60 * MINUTE_MS;
  expect(await source.current()).toEqual(known);
  await expect(sourceOf({ 'metadata-url': acme.metadataUrl }).source.current()).rejects.toMatchObject({
    kind: 'unavailable',
  });
  acme.setAvailable(true);
});

test('metadata of another entity are refused', async () => {
  const { source } = sourceOf({ 'metadata-url': acme.metadataUrl, issuer: 'urn:other' });
  await expect(source.current()).rejects.toThrow('the metadata have no entity urn:other');
});
