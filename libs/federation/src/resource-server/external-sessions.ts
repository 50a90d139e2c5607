import type { StoredAccount } from '@lintel/persistence';
import type { FederatedSessions, FederationPorts } from '../federation-ports.ts';
import { mapIdentity } from '../identity/map-identity.ts';
import type { FederatedUsers } from '../users/federated-users.ts';
import { createExternalSessionStore, externalSessionId, RESOURCE_SERVER } from './external-session.ts';
import type { ExternalClaims } from './external-verifier.ts';
import type { ResourceServerConfig } from './resource-server-settings.ts';

/** Sessions of users who have tokens of another issuer. A session stands for the tokens of one client and login. */
export interface ExternalSessions {
  /** The session of a token, which is opened for a new one; undefined for a token that is not accepted. */
  sessionFor(
    claims: ExternalClaims,
    clientId: string,
  ): Promise<{ readonly sessionId: string; readonly username: string } | undefined>;
  /** Ends the session of a token, for good for this and for older tokens. Returns whether there was one. */
  end(claims: ExternalClaims, clientId: string): Promise<boolean>;
}

export interface ExternalSessionsDeps
  extends Pick<FederationPorts, 'database' | 'history' | 'security' | 'clock' | 'secret'> {
  readonly users: FederatedUsers;
  readonly sessions: Pick<FederatedSessions, 'open' | 'find' | 'resume'>;
  readonly config: ResourceServerConfig & { readonly issuer: string };
}

export function createExternalSessions(deps: ExternalSessionsDeps): ExternalSessions {
  const { users, sessions, security, clock, config } = deps;
  const store = createExternalSessionStore(deps.database, config);
  const sessionIdOf = (claims: ExternalClaims, clientId: string): string =>
    externalSessionId(deps.secret, config.issuer, claims, clientId);

  /** The user of a token that is newer than all before: the rules apply, and roles follow. */
  async function accept(claims: ExternalClaims): Promise<StoredAccount | undefined> {
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
    account: StoredAccount,
    claims: ExternalClaims,
    clientId: string,
    sessionId: string,
  ): Promise<void> {
    const lifeMs = Math.max(1_000, claims.exp * 1000 + config.clockToleranceMs - clock.now());
    await sessions.open(account, { sessionId, clientId, lifeMs });
    deps.history.note({
      username: account.username,
      outcome: 'succeeded',
      method: 'token',
      provider: RESOURCE_SERVER,
      clientId,
      address: null,
    });
  }

  async function usernameFor(claims: ExternalClaims, clientId: string, sessionId: string): Promise<string | undefined> {
    const newest = await store.newestOf(sessionId);
    const login = await sessions.find(sessionId);
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
    if (login !== undefined && login.username !== account.username) await login.end();
    if (login === undefined || login.username !== account.username) {
      await openSession(account, claims, clientId, sessionId);
    }
    const session = await sessions.resume(sessionId);
    if (session === undefined) return undefined;
    await store.remember(sessionId, claims, account.username);
    return session.username;
  }

  return {
    async sessionFor(claims, clientId) {
      const sessionId = sessionIdOf(claims, clientId);
      const username = await usernameFor(claims, clientId, sessionId);
      return username === undefined ? undefined : { sessionId, username };
    },
    async end(claims, clientId) {
      const sessionId = sessionIdOf(claims, clientId);
      const login = await sessions.find(sessionId);
      if (login === undefined) return false;
      // The record first: it decides that this token is not accepted again.
      await store.remember(sessionId, claims, login.username);
      await login.end();
      return true;
    },
  };
}
