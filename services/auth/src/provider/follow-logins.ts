import type { Logger } from '@lintel/telemetry';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { LoginSessions } from '../sessions/login-sessions.ts';
import type { SessionService } from '../sessions/session-service.ts';

export interface FollowLoginsDeps {
  readonly loginSessions: LoginSessions;
  readonly sessions: Pick<SessionService, 'endGrant' | 'endNotifiedGrant'>;
  readonly logger: Logger;
}

/** Routes at which a user may have granted a client something. */
const GRANTING: ReadonlySet<string> = new Set(['authorization', 'resume', 'code_verification', 'device_resume']);

/** At this route oidc-provider itself notifies the clients of a browser that logs out. */
const LOGOUT = 'end_session_confirm';

/** Records the logins of browsers with what came of them, and ends all of it at a logout. */
export function followLogins(provider: Provider, { loginSessions, sessions, logger }: FollowLoginsDeps): void {
  provider.use(async (context, next) => {
    await next();
    if (!('oidc' in context)) return;
    const { route, session, result, client } = (context as KoaContextWithOIDC).oidc;
    if (session === undefined) return;
    const { uid, accountId } = session;
    if (route === LOGOUT && 'destroyed' in session) {
      for (const grantId of await loginSessions.end(uid)) await sessions.endNotifiedGrant(grantId);
      return;
    }
    if (!GRANTING.has(route) || accountId === undefined) return;
    // A second factor alone does not extend a login.
    if (result?.login !== undefined && result.login['isStepUp'] !== true) await loginSessions.begin(uid, accountId);
    const grantId = client && session.grantIdFor(client.clientId);
    if (grantId !== undefined) await loginSessions.addGrant(uid, grantId);
  });
  provider.on('grant.revoked', (context, grantId) => {
    const ended = context.oidc.route === LOGOUT ? sessions.endNotifiedGrant(grantId) : sessions.endGrant(grantId);
    ended.catch((error: unknown) => logger.error({ error }, 'the logins of a grant were not ended'));
  });
  provider.on('backchannel.error', (_context, error, { clientId }) => {
    logger.warn({ error, clientId }, 'a client did not accept a back-channel logout');
  });
}
