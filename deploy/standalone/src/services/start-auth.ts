import { randomUUID } from 'node:crypto';
import { type AuthConfig, type AuthService, createAuthService, settings } from '@lintel/auth';
import { datasourceOf } from '@lintel/config';
import type { StandaloneHost } from './standalone-host.ts';

/** @throws what the auth service throws at start */
export async function startAuth(
  host: StandaloneHost,
): Promise<{ readonly auth: AuthService; readonly config: AuthConfig; readonly url: string }> {
  const { application, config, bus, logger, metrics, clock } = await host.contextOf('auth', settings);
  const auth = createAuthService(
    {
      database: host.open({ ...config.database, ...datasourceOf(config.database), applicationName: 'lintel-auth' }),
      keyValues: host.store,
      sessions: host.sessionStore,
      bus,
      logger,
      metrics,
      clock,
      ids: { next: () => randomUUID() },
      applicationNames: [application.id, application.name],
      messages: application.messages,
    },
    config,
  );
  await auth.start();
  host.own(auth);
  const url = await host.serve(auth.app, 'auth');
  host.setProperty('svc.gateway.auth-url', url);
  host.setProperty('svc.authserver.jwks-url', `${url}/oauth2/jwks`);
  host.setProperty('svc.authserver.internal-url', await host.serve(auth.internalApp, 'auth-internal'));
  return { auth, config, url };
}
