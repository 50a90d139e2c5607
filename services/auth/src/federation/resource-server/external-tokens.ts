import type { ExchangeRefused, ExchangeResponse } from '@lintel/contracts';
import { AUDIENCE_REST } from '@lintel/contracts';
import type { Database } from '@lintel/persistence';
import type { SecurityLog } from '@lintel/telemetry';
import type { Account } from '../../accounts/account.ts';
import type { LoginHistory } from '../../accounts/login-history.ts';
import type { TokenSigner } from '../../keys/sign-token.ts';
import type { Clock } from '../../ports.ts';
import type { LoginStore } from '../../sessions/login.ts';
import type { SessionService } from '../../sessions/session-service.ts';
import { mapIdentity } from '../identity/map-identity.ts';
import type { FederatedUsers } from '../users/federated-users.ts';
import { externalAuthentication } from './external-authentication.ts';
import { createExternalSessionStore, externalSessionId, RESOURCE_SERVER } from './external-session.ts';
import type { ExternalClaims, ExternalVerifier } from './external-verifier.ts';
import type { ResourceServerConfig } from './resource-server-settings.ts';

/** Access tokens of another issuer, which stand for sessions as our own do. */
export interface ExternalTokens {
  isOurs(token: string): boolean;
  exchange(token: string): Promise<ExchangeResponse | ExchangeRefused>;
  /** Ends the session of a token; this and older tokens are refused then. False for a token that is not valid. */
  endSession(token: string): Promise<boolean>;
}

export interface ExternalTokensDeps {
  readonly database: Database;
  readonly verifier: ExternalVerifier;
  readonly users: FederatedUsers;
  readonly logins: Pick<LoginStore, 'find'>;
  readonly sessions: Pick<SessionService, 'open' | 'resume' | 'endLogin'>;
  readonly history: Pick<LoginHistory, 'note'>;
  readonly recordSeen: (sessionId: string, nowMs: number) => Promise<void>;
  readonly signer: TokenSigner;
  readonly security: SecurityLog;
  readonly clock: Clock;
  readonly config: ResourceServerConfig & { readonly issuer: string };
  readonly apiScope: string;
  /** The same in all replicas. */
  readonly secret: string;
}

const MAX_JWT_SECONDS = 60;
/** A JWT of a token that is accepted only by the tolerance of the clocks. */
const MIN_JWT_SECONDS = 10;
const MAX_CLIENT_ID = 200;

export function createExternalTokens(deps: ExternalTokensDeps): ExternalTokens {
  const { verifier, users, logins, sessions, signer, security, clock, config } = deps;
  const store = createExternalSessionStore(deps.database, config);
  const sessionIdOf = (claims: ExternalClaims, clientId: string): string =>
    externalSessionId(deps.secret, config.issuer, claims, clientId);

  /** The user of a token that is newer than all before: the rules apply, and roles follow. */
  async function accept(claims: ExternalClaims): Promise<Account | undefined> {
    const verdict = await users.signIn({
      provider: RESOURCE_SERVER,
      issuer: config.issuer,
      subject: claims.sub,
      claims,
      rules: config.rules,
    });
    if (verdict.kind === 'accepted') return verdict.account;
    security.record('federation.refused', { provider: RESOURCE_SERVER, reason: verdict.reason });
    return undefined;
  }

  async function openSession(
    account: Account,
    claims: ExternalClaims,
    clientId: string,
    sessionId: string,
  ): Promise<void> {
    const lifeMs = Math.max(1_000, claims.exp * 1000 + config.clockToleranceMs - clock.now());
    const client = { clientId, accessTokenTtlMs: lifeMs, refreshTokenTtlMs: lifeMs };
    await sessions.open(account, client, `external:${sessionId}`, undefined, { sessionId });
    deps.history.note({
      username: account.username,
      outcome: 'succeeded',
      method: 'token',
      provider: RESOURCE_SERVER,
      clientId,
      address: null,
    });
  }

  /** The user name of the session of a token, which is opened for a new one. */
  async function sessionFor(claims: ExternalClaims, clientId: string, sessionId: string): Promise<string | undefined> {
    const newest = await store.newestOf(sessionId);
    const login = await logins.find(sessionId);
    // Ended here: only a newer token of the issuer opens it again.
    if (newest !== undefined && claims.iat <= newest && login === undefined) return undefined;
    if (newest !== undefined && claims.iat <= newest) {
      // The roles of the session are those of the newest token; the other rules hold for each.
      if (mapIdentity(claims, config.rules).kind === 'refused') return undefined;
      const session = await sessions.resume(sessionId);
      if (session !== undefined) await store.remember(sessionId, claims, session.username);
      return session?.username;
    }
    const account = await accept(claims);
    if (account === undefined) return undefined;
    if (login !== undefined && login.username !== account.username) await sessions.endLogin(login);
    if (login === undefined || login.username !== account.username) {
      await openSession(account, claims, clientId, sessionId);
    }
    const session = await sessions.resume(sessionId);
    if (session === undefined) return undefined;
    await store.remember(sessionId, claims, account.username);
    return session.username;
  }

  return {
    isOurs: (token) => verifier.isOurs(token),
    async exchange(token) {
      const claims = await verifier.verify(token);
      if (typeof claims === 'string') return { reason: claims };
      const clientId = clientOf(claims);
      const sessionId = sessionIdOf(claims, clientId);
      const sub = await sessionFor(claims, clientId, sessionId);
      if (sub === undefined) return { reason: 'invalid' };
      await deps.recordSeen(sessionId, clock.now());
      const now = Math.floor(clock.now() / 1000);
      const { jwt, expiresAt } = await signer.sign(
        {
          sub,
          aud: AUDIENCE_REST,
          client_id: clientId,
          sid: sessionId,
          scope: deps.apiScope,
          // Not of the session: an older token of it stays as weak as it is.
          ...externalAuthentication(claims, config),
        },
        Math.min(now + MAX_JWT_SECONDS, Math.max(Math.floor(claims.exp), now + MIN_JWT_SECONDS)),
      );
      return { jwt, expiresAt, sessionId };
    },
    async endSession(token) {
      const claims = await verifier.verify(token);
      if (typeof claims === 'string') return false;
      const sessionId = sessionIdOf(claims, clientOf(claims));
      const login = await logins.find(sessionId);
      if (login === undefined) return false;
      // The record first: it decides that this token is not accepted again.
      await store.remember(sessionId, claims, login.username);
      await sessions.endLogin(login);
      return true;
    },
  };
}

/** The client at the issuer; its name cannot be that of a client of ours. */
function clientOf({ azp, client_id: id }: ExternalClaims): string {
  const name = [azp, id].find((value) => typeof value === 'string' && value !== '') ?? '';
  return `external:${String(name).slice(0, MAX_CLIENT_ID)}`;
}
