import { createFederation, type Federation } from '@lintel/federation';
import type { LoginHistory } from '@lintel/login';
import type { SecurityLog } from '@lintel/telemetry';
import type { AccountDirectory } from '../accounts/account.ts';
import { assertMayExecute, FOLLOW_ROLES } from '../accounts/assert-may-execute.ts';
import type { ClientRegistry } from '../clients/client.ts';
import type { AuthConfig } from '../config.ts';
import type { TokenSigner } from '../keys/sign-token.ts';
import { createTextCipher } from '../keys/text-cipher.ts';
import type { AuthPorts } from '../ports.ts';
import type { LoginStore } from '../sessions/login.ts';
import type { SessionService } from '../sessions/session-service.ts';

export interface FederationFeatureDeps {
  readonly ports: AuthPorts;
  readonly config: AuthConfig;
  readonly accounts: AccountDirectory;
  readonly clients: ClientRegistry;
  readonly logins: Pick<LoginStore, 'find'>;
  readonly sessions: SessionService;
  readonly signer: TokenSigner;
  readonly history: LoginHistory;
  readonly security: SecurityLog;
  readonly endBrowserSession: (uid: string) => Promise<void>;
}

const DAY_MS = 24 * 3_600_000;

/** Logins at identity providers, and tokens of another issuer. */
export function createFederationFeature(given: FederationFeatureDeps): Promise<Federation> {
  const { ports, config, accounts, logins, sessions, signer, history, security, endBrowserSession } = given;
  return createFederation(config, {
    ...ports,
    accounts,
    signer,
    history,
    security,
    cipher: createTextCipher(config.keyEncryptionSecret, 'logins at identity providers'),
    sessions: {
      follow: (username) => sessions.follow(username),
      endGrant: (grantId) => sessions.endGrant(grantId),
      endBrowserSession,
      open(account, { sessionId, clientId, lifeMs }) {
        const client = { clientId, accessTokenTtlMs: lifeMs, refreshTokenTtlMs: lifeMs };
        return sessions.open(account, client, `external:${sessionId}`, undefined, { sessionId });
      },
      async find(sessionId) {
        const login = await logins.find(sessionId);
        return login && { username: login.username, end: () => sessions.endLogin(login) };
      },
      resume: (sessionId) => sessions.resume(sessionId),
      recordSeen: (sessionId, nowMs) => ports.sessions.recordSeen(sessionId, nowMs),
    },
    publicUrl: config.platform.issuer,
    apiScope: config.platform.apiScope,
    secret: config.keyEncryptionSecret,
    // A code of the last moment of single sign-on leads to tokens, too.
    loginLifeMs: longestTokenMs(given) + config.singleSignOn.lifeMs + DAY_MS,
    assertMayCreateUsers: () =>
      assertMayExecute(
        ports.database,
        FOLLOW_ROLES,
        'svc.datasource.url: identity providers are configured, so the login of auth must be in the role lintel_federation, which may create users and assign roles',
      ),
  });
}

/** Life of a refresh token with the access token that it leads to, of the client with the longest. */
const longestTokenMs = ({ config, clients }: FederationFeatureDeps): number =>
  Math.max(
    ...[config, ...clients.all()].map(
      ({ accessTokenTtlMs, refreshTokenTtlMs }) => accessTokenTtlMs + refreshTokenTtlMs,
    ),
  );
