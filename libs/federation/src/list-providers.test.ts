import { directorySchema } from './ldap/directory-settings.ts';
import { listProviders } from './list-providers.ts';
import { providerSchema } from './provider-settings.ts';

const listed = (providers: object, directories: object = {}, resourceServer: object = {}) =>
  listProviders(
    { providers, directories, resourceServer } as Parameters<typeof listProviders>[0],
    'https://lintel.example',
  );

// Asserts contract/operations.md#identity-providers.
test('a provider has its settings without secrets, and the addresses that it must know', () => {
  const acme = providerSchema.parse({
    issuer: 'https://name:password-of-url@login.example',
    'client-id': 'lintel',
    'client-secret': 'the secret',
    'resource-roles': 'sales=sales-manager, *=rest-minimal',
  });
  const [provider] = listed({ acme });
  expect(provider).toMatchObject({ name: 'acme', kind: 'openid', title: 'acme' });
  expect(provider?.settings).toEqual(
    expect.arrayContaining([
      { name: 'client-id', value: 'lintel' },
      { name: 'client-secret', value: '***' },
      { name: 'scopes', value: 'openid, profile, email' },
    ]),
  );
  expect(provider?.addresses).toEqual([
    { kind: 'callback', url: 'https://lintel.example/as-login/provider/acme/callback' },
    { kind: 'logout', url: 'https://lintel.example/as-login/provider/acme/logout' },
  ]);
  expect(JSON.stringify(provider)).not.toMatch(/the secret|password-of-url/);
});

// Asserts contract/operations.md#identity-providers.
test('SAML providers and directories have no secret either', () => {
  const saml = providerSchema.parse({
    kind: 'saml',
    issuer: 'urn:acme',
    'metadata-url': 'https://login.example/metadata',
    'signing-key': 'the key',
    'signing-certificate-file': '/certificate',
    title: 'Acme',
  });
  const directory = directorySchema.parse({
    urls: 'ldaps://one.example, ldaps://two.example',
    'bind-dn': 'cn=lintel',
    'bind-password': 'the password',
    'base-dn': 'dc=acme',
  });
  const all = listed({ saml }, { directory });
  expect(all.map(({ name, kind, title }) => [name, kind, title])).toEqual([
    ['saml', 'saml', 'Acme'],
    ['directory', 'ldap', null],
  ]);
  expect(all[1]?.settings).toContainEqual({ name: 'urls', value: 'ldaps://one.example, ldaps://two.example' });
  expect(JSON.stringify(all)).not.toMatch(/the key|the password/);
});

// Asserts contract/operations.md#identity-providers.
test('the issuer of external tokens is the last, with its settings', () => {
  const [issuer, ...others] = listed(
    {},
    {},
    {
      issuer: 'https://sso.example/realms/acme',
      audience: ['lintel', 'portal'],
      clockToleranceMs: 30_000,
      rules: { 'user-claim': 'preferred_username' },
    },
  );
  expect(others).toEqual([]);
  expect(issuer).toEqual({
    name: 'resource-server',
    kind: 'token-issuer',
    title: null,
    settings: [
      { name: 'issuer', value: 'https://sso.example/realms/acme' },
      { name: 'audience', value: 'lintel, portal' },
      { name: 'user-claim', value: 'preferred_username' },
    ],
    addresses: [],
  });
});
