import type { SessionStore } from '@lintel/cache';
import { ANONYMOUS, type Authentication, type Session, type SessionValue } from '@lintel/contracts';
import { requestedLocale } from '@lintel/http';
import { fingerprintOf } from '@lintel/passwords';
import type { SecurityLog } from '@lintel/telemetry';
import type { Account, AccountDirectory } from '../accounts/account.ts';
import type { Client, ClientRegistry } from '../clients/client.ts';
import type { EventPublisher } from '../event-publisher.ts';
import { groupFacts } from '../group-facts.ts';
import type { Clock, IdSource } from '../ports.ts';
import { ANONYMOUS_SESSION_ID, clientSession, hasChanged, userSession } from './build-session.ts';
import { eachOf } from './each-of.ts';
import { isAlive, type Login, type LoginOrigin, type LoginStore, type NotifyClients, seeAsGrantOf } from './login.ts';
import { loadAnonymous, writeAnonymous } from './stored/anonymous-session.ts';
import { addToken, type ClientToken, type ClientTokenLists, removeToken, takeTokens } from './stored/client-token.ts';
import { clientSessionTtlMs, sessionTtlMs } from './stored/session-ttl.ts';

export interface SessionServiceDeps {
  readonly sessions: SessionStore;
  readonly logins: LoginStore;
  readonly accounts: AccountDirectory;
  readonly clients: ClientRegistry;
  /** Ends all tokens of grants. */
  readonly endGrants: (grantIds: readonly string[]) => Promise<void>;
  /** Notifies clients of logins that have ended. Does not wait for them. */
  readonly notifyClients: NotifyClients;
  /** Ends a client-credentials token by its stored id. */
  readonly endClientToken: (tokenId: string) => Promise<void>;
  readonly keyValues: ClientTokenLists;
  /** Tokens of one client for itself; a further one ends the oldest. */
  readonly maxTokensPerClient: number;
  /** Logins of one user; a further one ends the oldest. */
  readonly maxSessionsPerUser: number;
  readonly security: SecurityLog;
  readonly events: EventPublisher;
  readonly availableLocales: readonly string[];
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** What a login has in addition. */
export interface OpenOptions {
  /** A new random one by default. */
  readonly sessionId?: string;
  readonly origin?: LoginOrigin;
  readonly authentication?: Authentication | undefined;
  /** The session has no other roles of the user. */
  readonly resourceRoles?: readonly string[];
  readonly logoutSid?: string | undefined;
  /** The user who sees with the session what the user of the account sees. */
  readonly seenBy?: string;
}

/** Maximum number of repetitions: constant changes of a user must not block a request forever. */
const MAX_UPDATES = 20;

/** Creates, updates and ends sessions. No other code writes them. */
export class SessionService {
  readonly #deps: SessionServiceDeps;

  constructor(deps: SessionServiceDeps) {
    this.#deps = deps;
  }

  /** Creates the session of a new login. */
  async open(
    account: Account,
    client: Pick<Client, 'clientId' | 'accessTokenTtlMs' | 'refreshTokenTtlMs'>,
    grantId: string,
    acceptLanguage: string | undefined,
    { sessionId = this.#newId(), origin = {}, authentication, resourceRoles, logoutSid, seenBy }: OpenOptions = {},
  ): Promise<Session> {
    const { logins, availableLocales, clock, maxSessionsPerUser, security } = this.#deps;
    const login: Login = {
      sessionId,
      username: account.username,
      userId: account.id,
      clientId: client.clientId,
      grantId,
      chosenLocale: requestedLocale(acceptLanguage, availableLocales),
      credential: fingerprintOf(account.passwordHash),
      startedAt: Math.floor(clock.now() / 1000),
      ...origin,
      ...(authentication === undefined ? {} : { authentication }),
      ...(resourceRoles === undefined ? {} : { resourceRoles }),
      ...(logoutSid === undefined ? {} : { logoutSid }),
      ...(seenBy === undefined ? {} : { seenBy }),
    };
    const session = userSession(login, account);
    // The record of the login first: `follow` ends sessions without one.
    const lifeMs = Math.max(client.refreshTokenTtlMs, client.accessTokenTtlMs);
    const ended = await logins.save(login, lifeMs, maxSessionsPerUser);
    await this.#save(session);
    if (ended.length > 0) {
      security.record('sessions.limited', { username: account.username, amount: ended.length });
      await this.#endRemoved(account.username, ended);
    }
    return session;
  }

  /** Creates the session of a client-credentials token; it ends with the token. */
  async openForClient(client: Client, acceptLanguage: string | undefined): Promise<Session> {
    const { sessions, availableLocales, clock } = this.#deps;
    const locale = requestedLocale(acceptLanguage, availableLocales);
    const session = clientSession(this.#newId(), client, locale, clock.now());
    await sessions.save(session, clientSessionTtlMs(client));
    return session;
  }

  /** Counts a new client-credentials token, and ends the oldest ones above the limit. */
  async limitTokens(client: Client, token: ClientToken): Promise<void> {
    const { keyValues, maxTokensPerClient, security } = this.#deps;
    const { clientId, accessTokenTtlMs } = client;
    const limit = { lifeMs: accessTokenTtlMs, max: maxTokensPerClient };
    const ended = await addToken(keyValues, clientId, token, limit);
    if (ended.length === 0) return;
    security.record('sessions.limited', { clientId, amount: ended.length });
    await this.#endTokens(clientId, ended);
  }

  /** Ends the session of a client-credentials token, after the token itself. */
  async endClientSession(clientId: string, token: ClientToken): Promise<void> {
    await this.endSession(token.sessionId, clientId);
    await removeToken(this.#deps.keyValues, clientId, token);
  }

  /**
   * The session of a login that is refreshed; a lost one is rebuilt. Undefined if the login is no longer valid,
   * because the user was removed or disabled or has another password; the login is ended then.
   */
  async resume(sessionId: string): Promise<Session | undefined> {
    if ((await this.#deps.logins.find(sessionId)) === undefined) return undefined;
    return this.#update(sessionId, 'renew');
  }

  /**
   * The last step of issuing tokens: applies changes of the user since the user was read. False if the login has
   * ended meanwhile; it has been removed completely then. Later changes find the record of the login.
   */
  async confirm(session: Session): Promise<boolean> {
    if ((await this.#update(session.id, 'restore')) !== undefined) return true;
    await this.endSession(session.id, session.username);
    return false;
  }

  /**
   * Sets the locale of a session, which stays after a loss of the session (contract/decisions.md#36). False if the
   * session has ended, and for calls without a token, which share one session.
   */
  async changeLocale(sessionId: string, locale: string): Promise<boolean> {
    const { sessions, logins } = this.#deps;
    const session = await sessions.load(sessionId);
    if (session === undefined || session.kind === 'anonymous') return false;
    if (session.kind === 'user')
      return (
        (await logins.chooseLocale(sessionId, locale)) && (await this.#update(sessionId, 'existing')) !== undefined
      );
    if (session.locale === locale) return true;
    await this.#replaceOfClient({ ...session, locale });
    return true;
  }

  /**
   * Changes session attributes; null removes one. Those of a user stay after a loss of the session. False if the
   * session has ended, and for calls without a token, which share one session.
   */
  async changeAttributes(sessionId: string, changes: Readonly<Record<string, SessionValue | null>>): Promise<boolean> {
    const { sessions, logins } = this.#deps;
    const session = await sessions.load(sessionId);
    if (session === undefined || session.kind === 'anonymous') return false;
    if (session.kind === 'user')
      return (
        (await logins.changeAttributes(sessionId, changes)) && (await this.#update(sessionId, 'existing')) !== undefined
      );
    const values = Object.entries({ ...session.sessionAttributes, ...changes });
    const sessionAttributes = Object.fromEntries(
      values.filter((entry): entry is [string, SessionValue] => entry[1] !== null),
    );
    await this.#replaceOfClient({ ...session, sessionAttributes });
    return true;
  }

  /** Stores the values of the hook `onLogin` for a session of a user, once. False if the session has ended. */
  async completeLogin(sessionId: string, values: Readonly<Record<string, SessionValue | null>>): Promise<boolean> {
    if (!(await this.#deps.logins.completeLogin(sessionId, values))) return false;
    return (await this.#update(sessionId, 'restore')) !== undefined;
  }

  async #replaceOfClient(session: Session): Promise<void> {
    const { sessions, clients } = this.#deps;
    await sessions.save(session, clientSessionTtlMs(clients.find(session.clientId)));
    await this.#publishChanged(session);
  }

  /** The session of calls without a token; undefined if the user `anonymous` was disabled. */
  async anonymous(): Promise<Session | undefined> {
    return (await loadAnonymous(this.#deps)) ?? writeAnonymous(this.#deps);
  }

  /**
   * Ends a login with all its tokens. The record is removed first: without it, tokens that are being issued are not
   * confirmed, and tokens that remain after an interruption are refused.
   */
  async endLogin(login: Login): Promise<void> {
    await this.#deps.logins.remove([login.sessionId]);
    await this.#endRemoved(login.username, [login]);
  }

  /** Ends logins of one user with all their tokens, and records why. */
  async endLogins(username: string, ended: readonly Login[], reason: string): Promise<void> {
    const { logins, security } = this.#deps;
    security.record('session.ended', { username, amount: ended.length, reason });
    await logins.remove(ended.map(({ sessionId }) => sessionId));
    await this.#endRemoved(username, ended);
  }

  /** Ends sessions and grants of logins whose records have been removed, in as few steps as for one login. */
  async #endRemoved(username: string, ended: readonly Login[]): Promise<void> {
    const { sessions, events, endGrants, notifyClients } = this.#deps;
    if (ended.length === 0) return;
    const ids = ended.map(({ sessionId }) => sessionId);
    await sessions.deleteOf(username, ids);
    await events.publishAll(
      'auth.session.ended.v1',
      groupFacts(ids).map(({ first, group }) => ({
        subject: first,
        data: { sessionId: first, username, ...(group.length > 1 && { sessionIds: [...group] }) },
      })),
    );
    await endGrants([...new Set(ended.map(({ grantId }) => grantId))]);
    notifyClients(ended);
    await this.endSeen(ids);
  }

  /**
   * Ends what callers see as other users: the gateway would accept its token until the next exchange.
   *
   * @param callerSessionIds all callers if it is absent
   */
  async endSeen(callerSessionIds?: readonly string[]): Promise<void> {
    const { logins, security } = this.#deps;
    const seen = await (callerSessionIds === undefined
      ? logins.ofSeeAs()
      : logins.ofGrants(callerSessionIds.map(seeAsGrantOf)));
    for (const { grantId, username, seenBy, sessionId } of seen) {
      await this.endGrant(grantId);
      security.record('see-as.ended', { username, ...(seenBy !== undefined && { by: seenBy }), sessionId });
    }
  }

  /** Ends the logins of a grant, and the grant. */
  async endGrant(grantId: string): Promise<void> {
    this.#deps.notifyClients(await this.endNotifiedGrant(grantId));
  }

  /** As `endGrant`, for a grant whose clients are notified by the caller; returns the logins. */
  async endNotifiedGrant(grantId: string): Promise<readonly Login[]> {
    const { logins, endGrants } = this.#deps;
    const ended = await logins.ofGrant(grantId);
    for (const { sessionId, username } of ended) {
      await logins.remove([sessionId]);
      await this.endSession(sessionId, username);
    }
    await endGrants([grantId]);
    await this.endSeen(ended.map(({ sessionId }) => sessionId));
    return ended;
  }

  /** Ends the client-credentials tokens of a client. */
  async endClientTokens(clientId: string): Promise<void> {
    await this.#endTokens(clientId, await takeTokens(this.#deps.keyValues, clientId));
  }

  async #endTokens(clientId: string, ended: readonly ClientToken[]): Promise<void> {
    await eachOf(ended, async ({ sessionId, tokenId }) => {
      await this.#deps.endClientToken(tokenId);
      await this.endSession(sessionId, clientId);
    });
  }

  /** Ends a session; its tokens are refused from now on. */
  async endSession(sessionId: string, username: string): Promise<void> {
    await this.#deps.sessions.delete(sessionId);
    await this.#deps.events.publish('auth.session.ended.v1', sessionId, { sessionId, username });
  }

  /**
   * Updates or ends the sessions of a user (contract/decisions.md#56): all together, and repeatedly until nothing has
   * changed since the last read, as `#update` does for one session.
   */
  async follow(username: string): Promise<void> {
    const { logins, sessions, accounts } = this.#deps;
    if (username === ANONYMOUS) return this.#followAnonymous();
    // Sessions are read before logins: the record of a login is written before its session.
    const stored = await sessions.idsOf(username);
    const known = new Set<string>();
    for (let attempt = 0; ; attempt += 1) {
      const recorded = await logins.ofUser(username);
      const gone = new Set(known);
      for (const { sessionId } of recorded) {
        known.add(sessionId);
        gone.delete(sessionId);
      }
      // The login has ended; its session may have been written after that.
      if (gone.size > 0) await sessions.deleteOf(username, [...gone]);
      // The user is read after the logins: a login that starts meanwhile reads the user itself.
      const account = await accounts.find(username);
      await this.#endOver(username, recorded, account);
      if (!(await this.#rewrite(recorded, account)) || attempt >= MAX_UPDATES) break;
    }
    await eachOf(stored, async (id) => {
      const session = known.has(id) ? undefined : await sessions.load(id);
      // A session without a record of its login cannot be verified. Clients may have the name of a user.
      if (session?.kind !== 'user') return;
      await this.endSession(id, username);
      await this.endSeen([id]);
    });
  }

  /** Ends the logins of a user that are no longer valid. */
  async #endOver(username: string, recorded: readonly Login[], account: Account | undefined): Promise<void> {
    const ended = recorded.filter((login) => !isAlive(login, account));
    if (ended.length === 0) return;
    const reason = account?.isActive === true ? 'new password' : 'user disabled or removed';
    await this.endLogins(username, ended, reason);
  }

  /** Updates the stored sessions of logins to the current state of the user. False if none has changed. */
  async #rewrite(recorded: readonly Login[], account: Account | undefined): Promise<boolean> {
    const { sessions, events } = this.#deps;
    const now = recorded.flatMap((login) => (isAlive(login, account) ? [userSession(login, account)] : []));
    const before = await sessions.loadAll(now.map(({ id }) => id));
    const changed = now.filter((session, index) => {
      const stored = before[index];
      return stored !== undefined && hasChanged(stored, session);
    });
    if (changed.length === 0) return false;
    await eachOf(changed, (session) => this.#save(session));
    await events.publishAll(
      'auth.session.changed.v1',
      changed.map(({ id, username }) => ({ subject: id, data: { sessionId: id, username } })),
    );
    return true;
  }

  async #followAnonymous(): Promise<void> {
    const before = await loadAnonymous(this.#deps);
    if (before === undefined) return;
    const after = await writeAnonymous(this.#deps);
    if (after === undefined) await this.endSession(ANONYMOUS_SESSION_ID, ANONYMOUS);
    else if (hasChanged(before, after)) await this.#publishChanged(after);
  }

  /**
   * Updates the session of a login to the current state of the user. Several processes may do so concurrently: each
   * reads again after it has written, so that the last one writes the current state.
   *
   * @param missing `existing` does not write a session that is not stored, `restore` does; `renew` always writes, which
   *   extends the lifetime
   * @returns undefined if the login has ended; it has been removed completely then
   */
  async #update(sessionId: string, missing: 'existing' | 'restore' | 'renew'): Promise<Session | undefined> {
    const { sessions, logins, accounts } = this.#deps;
    let isRenewed = missing !== 'renew';
    for (let attempt = 0; ; attempt += 1) {
      const login = await logins.find(sessionId);
      if (login === undefined) {
        await sessions.delete(sessionId);
        return undefined;
      }
      const account = await accounts.find(login.username);
      if (!isAlive(login, account)) {
        await this.endLogin(login);
        return undefined;
      }
      const session = userSession(login, account);
      const before = await sessions.load(sessionId);
      const isCurrent = before === undefined ? missing === 'existing' : !hasChanged(before, session);
      if ((isCurrent && isRenewed) || attempt >= MAX_UPDATES) return session;
      isRenewed = true;
      await this.#save(session);
      if (before !== undefined && !isCurrent) await this.#publishChanged(session);
    }
  }

  async #publishChanged({ id, username }: Session): Promise<void> {
    await this.#deps.events.publish('auth.session.changed.v1', id, { sessionId: id, username });
  }

  async #save(session: Session): Promise<void> {
    const { sessions, clients } = this.#deps;
    await sessions.save(session, sessionTtlMs(clients.find(session.clientId)));
  }

  #newId(): string {
    return this.#deps.ids.next().replaceAll('-', '').toUpperCase();
  }
}
