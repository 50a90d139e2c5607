import { createRoutes } from './routes.ts';

const routes = createRoutes(
  {
    upstreamTimeoutMs: 300_000,
    restPaths: { basePath: '/rest', filesPath: '/files', changesPath: '/changes' },
    platform: {
      anonymousUrlPatterns: ['/open/**'],
      authenticatedUrlPatterns: ['/listed/*'],
      resourceServerAnonymousUrlPatterns: [],
      resourceServerAuthenticatedUrlPatterns: [],
    },
  } as unknown as Parameters<typeof createRoutes>[0],
  ['/shop/*', '/legacy', '/legacy/**'],
);
const routeOf = (path: string) => routes.find(({ matches }) => matches(path));

// Asserts contract/decisions.md#38, contract/tokens.md#url-patterns.
test.each(['/shop/orders', '/legacy', '/legacy/a/b', '/open/a', '/listed/a', '/rest/shop'])(
  'a path of the application goes to the data service, with a token where no anonymous list opens it: %s',
  (path) => {
    expect(routeOf(path)).toMatchObject({ upstream: 'data', tokens: 'exchange' });
  },
);

// Asserts contract/tokens.md#url-patterns.
test.each(['/shop', '/shop/a/b', '/other', '/shop/%2e%2e', '/listed'])(
  'a path that no service has is not routed: %s',
  (path) => {
    expect(routeOf(path)).toBeUndefined();
  },
);

// Asserts contract/controllers.md#controllers, contract/conventions.md#endpoints, contract/tokens.md#url-patterns.
test('paths of the platform are not the application’s', () => {
  expect(routeOf('/rest/reports/run/1')?.upstream).toBe('reports');
  expect(routeOf('/rest/files')?.upstream).toBe('files');
  expect(routeOf('/oauth/token')).toMatchObject({ upstream: 'auth', tokens: 'pass' });
});

test('feeds of changes are streams, with a patience of their own', () => {
  expect(routeOf('/rest/changes/t_A')).toMatchObject({ upstream: 'data', isStream: true, silenceMs: 150_000 });
  expect(routeOf('/rest/entities/t_A')?.isStream).toBeUndefined();
});

test('auth may be silent for 30 seconds, all other services for the configured time', () => {
  const patience = ['/oauth/token', '/rest/reports/run/1', '/rest/files', '/legacy'].map(
    (path) => routeOf(path)?.silenceMs,
  );
  expect(patience).toEqual([30_000, 300_000, 300_000, 300_000]);
});
