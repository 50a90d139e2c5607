import { clientSchema } from './client-settings.ts';
import { createClientRegistry } from './create-client-registry.ts';
import { withExplorerClient } from './with-explorer-client.ts';

const PATHS = { basePath: '/api', docsPath: '/docs' };
const clientsWith = (
  platform: { readonly explorerClient?: string; readonly consoleEnabled?: boolean; readonly issuer: string },
  clients: Record<string, Record<string, string>> = {},
) =>
  withExplorerClient({
    platform: { explorerClient: undefined, consoleEnabled: false, ...platform },
    paths: PATHS,
    clients: Object.fromEntries(Object.entries(clients).map(([name, input]) => [name, clientSchema.parse(input)])),
  });
const ISSUER = 'https://shop.example/lintel/';

// Asserts contract/api-documents.md#explorer.
test('the client of the explorer is public, and its codes go to the page of the explorer only', () => {
  const registry = createClientRegistry({
    clients: clientsWith({ explorerClient: 'explorer', issuer: ISSUER }),
    platform: { apiScope: 'rest-api' },
    accessTokenTtlMs: 3_600_000,
    refreshTokenTtlMs: 365 * 24 * 3_600_000,
    authorizationCodeTtlMs: 300_000,
    reuseRefreshTokens: true,
  });
  expect(registry.findPublic('explorer')).toMatchObject({
    name: 'API explorer',
    grantTypes: new Set(['authorization_code', 'refresh_token']),
    redirectUris: ['https://shop.example/lintel/api/docs/explorer/oauth2-redirect.html'],
    scopes: ['rest-api'],
    refreshTokenTtlMs: 24 * 3_600_000,
    reusesRefreshTokens: false,
  });
});

// Asserts contract/api-documents.md#explorer.
test('on this machine the page has three addresses', () => {
  const [client] = Object.values(clientsWith({ explorerClient: 'explorer', issuer: 'http://localhost:8080' }));
  expect(client?.['redirect-uris']).toEqual(
    ['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:8080/api/docs/explorer/oauth2-redirect.html`),
  );
});

// Asserts contract/api-documents.md#explorer.
test('without it, and with a configured client of the same id, there is no other client', () => {
  expect(clientsWith({ issuer: ISSUER })).toEqual({});
  expect(clientsWith({ explorerClient: 'none', issuer: ISSUER })).toEqual({});
  const own = { mine: { 'client-id': 'explorer', 'client-secret': 'secret' } };
  expect(Object.keys(clientsWith({ explorerClient: 'explorer', issuer: ISSUER }, own))).toEqual(['mine']);
});

test('with the console, the explorer has a client unless none is configured', () => {
  const console = { consoleEnabled: true, issuer: ISSUER };
  expect(Object.values(clientsWith(console))).toMatchObject([{ 'client-id': 'explorer' }]);
  expect(clientsWith({ ...console, explorerClient: 'none' })).toEqual({});
});
