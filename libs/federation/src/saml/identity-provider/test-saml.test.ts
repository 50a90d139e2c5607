import { type SamlIdentityProvider, startSamlIdentityProvider } from '../../../test/saml-identity-provider.ts';
import { SAML_SETTINGS } from '../saml-settings.ts';
import { testSaml } from './test-saml.ts';

let acme: SamlIdentityProvider;
beforeAll(async () => {
  acme = await startSamlIdentityProvider('acme');
});
afterAll(() => acme.close());

function codes(given: Readonly<Record<string, string>>, nowMs = Date.now()) {
  const none = Object.fromEntries(Object.keys(SAML_SETTINGS).map((member) => [member, undefined]));
  return testSaml({ ...none, issuer: acme.issuer, ...given } as Parameters<typeof testSaml>[0], nowMs).then((all) =>
    all.map(({ code }) => code),
  );
}

// Asserts contract/operations.md#identity-providers.
test('metadata with an address and a valid certificate have no problem', async () => {
  expect(await codes({ 'metadata-url': acme.metadataUrl })).toEqual([]);
});

// Asserts contract/operations.md#identity-providers.
test('another entity, certificates that have expired, files that do not exist and errors of the server are named', async () => {
  expect(await codes({ 'metadata-url': acme.metadataUrl, issuer: 'urn:other' })).toEqual(['issuer']);
  expect(await codes({ 'metadata-url': acme.metadataUrl }, Date.UTC(2200, 0, 1))).toEqual(['keys']);
  expect(await codes({ 'metadata-file': '/no/such/file' })).toEqual(['file']);
  acme.setAvailable(false);
  expect(await codes({ 'metadata-url': acme.metadataUrl })).toEqual(['status']);
  acme.setAvailable(true);
});
