import { clientSchema } from './client-settings.ts';
import { createClientRegistry } from './create-client-registry.ts';
import { withConsoleClient } from './with-console-client.ts';

const settings = { consoleEnabled: true, issuer: 'https://shop.example/lintel/' };

test('the client of the console is public, and its codes go to the console only', () => {
  const registry = createClientRegistry({
    clients: withConsoleClient({}, settings),
    platform: { apiScope: 'rest-api' },
    accessTokenTtlMs: 3_600_000,
    refreshTokenTtlMs: 365 * 24 * 3_600_000,
    authorizationCodeTtlMs: 300_000,
    reuseRefreshTokens: true,
  });
  expect(registry.findPublic('lintel-console')).toMatchObject({
    name: 'Console',
    grantTypes: new Set(['authorization_code', 'refresh_token']),
    redirectUris: ['https://shop.example/lintel/console/login'],
    refreshTokenTtlMs: 24 * 3_600_000,
    reusesRefreshTokens: false,
  });
});

test('on this machine the console has three addresses', () => {
  const [client] = Object.values(withConsoleClient({}, { ...settings, issuer: 'http://localhost:8080' }));
  expect(client?.['redirect-uris']).toEqual(
    ['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:8080/console/login`),
  );
});

test('where the console is not served, and with a configured client of its id, there is no other client', () => {
  expect(withConsoleClient({}, { ...settings, consoleEnabled: false })).toEqual({});
  const own = { mine: clientSchema.parse({ 'client-id': 'lintel-console', 'client-secret': 'secret' }) };
  expect(withConsoleClient(own, settings)).toBe(own);
});
