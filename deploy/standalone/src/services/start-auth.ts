import { randomUUID } from 'node:crypto';
import { type AuthConfig, type AuthService, createAuthService, settings } from '@lintel/auth';
import type { StandaloneHost } from './standalone-host.ts';

/** @throws what the auth service throws at start */
export async function startAuth(
  host: StandaloneHost,
): Promise<{ readonly auth: AuthService; readonly config: AuthConfig; readonly url: string }> {
  const { config } = await host.configurationOf(settings);
  const { maxConnections, statementTimeoutMs, slowQueries } = config.database;
  const auth = createAuthService(
    {
      database: host.open({
        applicationName: 'lintel-auth',
        maxConnections,
        statementTimeoutMs,
        slowQueries,
      }),
      keyValues: host.store,
      sessions: host.sessionStore,
      bus: host.bus.forService('auth'),
      logger: host.loggerOf('auth'),
      metrics: host.metrics,
      clock: host.clock,
      ids: { next: () => randomUUID() },
    },
    config,
  );
  await auth.start();
  host.onClose(() => auth.close());
  const url = await host.serve(auth.app, 'auth');
  host.settle('svc.gateway.auth-url', url);
  host.settle('svc.authserver.jwks-url', `${url}/oauth2/jwks`);
  host.settle('svc.authserver.internal-url', await host.serve(auth.internalApp, 'auth-internal'));
  return { auth, config, url };
}
