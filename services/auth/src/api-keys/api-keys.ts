import {
  type ApiKeyCreation,
  AUDIENCE_REST,
  apiKeyBody,
  type ExchangeRefused,
  type ExchangeResponse,
} from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { SecurityLog } from '@lintel/telemetry';
import { z } from 'zod';
import type { AccountDirectory } from '../accounts/account.ts';
import { parseBody } from '../clients/stored/parse-body.ts';
import type { TokenSigner } from '../keys/sign-token.ts';
import type { Clock, IdSource } from '../ports.ts';
import type { LoginStore } from '../sessions/login.ts';
import type { SessionService } from '../sessions/session-service.ts';
import type { KeyStore, StoredKey } from './key-store.ts';
import { createKeyText, hashOfKey, isKeyText, isWellFormed } from './key-text.ts';
import { clientIdOf, type KeyUses } from './key-uses.ts';

export interface ApiKeysDeps {
  readonly store: KeyStore;
  readonly accounts: Pick<AccountDirectory, 'find'>;
  readonly logins: Pick<LoginStore, 'find'>;
  readonly sessions: Pick<SessionService, 'open' | 'resume' | 'endLogin'>;
  readonly recordSeen: (sessionId: string, nowMs: number) => Promise<void>;
  readonly uses: KeyUses;
  readonly signer: TokenSigner;
  readonly security: SecurityLog;
  readonly apiScope: string;
  /** `svc.auth.api-keys.max-time-to-live` */
  readonly maxLifeMs: number;
  /** `svc.auth.api-keys.max-per-user` */
  readonly maxPerUser: number;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** A key as the API returns it. */
export type KeyView = Omit<StoredKey, 'userId' | 'username'>;

const MAX_JWT_SECONDS = 60;
/** Characters of a key that lists show: the prefix and four more, of 43. */
const HINT_LENGTH = 7;

/** Keys with which scripts of a user call the API (contract/user.md#api-keys). */
export class ApiKeys {
  readonly #deps: ApiKeysDeps;

  constructor(deps: ApiKeysDeps) {
    this.#deps = deps;
  }

  readonly isOurs = isKeyText;

  async list(username: string): Promise<readonly KeyView[]> {
    const account = await this.#deps.accounts.find(username);
    return account === undefined ? [] : (await this.#deps.store.ofUser(account.id)).map(viewOf);
  }

  /** Creates a key, whose text no later call returns. */
  async create({ username, resourceRoles: held, key }: ApiKeyCreation): Promise<KeyView & { readonly key: string }> {
    const { store, accounts, uses, ids, clock, maxLifeMs, maxPerUser, security } = this.#deps;
    const { name, resourceRoles = held, expiresAt } = parseBody(apiKeyBody, key);
    const above = resourceRoles.filter((role) => !held.includes(role));
    if (above.length > 0)
      throw new PlatformError('ACCESS_DENIED', `resourceRoles: the caller does not have ${above.join(', ')}`);
    const latestMs = clock.now() + maxLifeMs;
    const endsMs = expiresAt === undefined ? latestMs : Date.parse(expiresAt);
    if (endsMs <= clock.now() || endsMs > latestMs)
      throw invalid(`expiresAt: must be in the future, at ${new Date(latestMs).toISOString()} at the latest`);
    const account = await accounts.find(username);
    if (account?.isActive !== true) throw new PlatformError('ACCESS_DENIED', 'The caller is no user');
    const text = createKeyText();
    const created = {
      id: ids.next(),
      userId: account.id,
      username,
      name,
      hint: text.slice(0, HINT_LENGTH),
      resourceRoles: [...new Set(resourceRoles)],
      expiresAt: new Date(endsMs).toISOString(),
    };
    const { isInserted, expired } = await store.insert({ ...created, hash: hashOfKey(text) }, maxPerUser);
    for (const each of expired) await uses.remember(each, 'expired');
    if (!isInserted) throw invalid(`A user has at most ${maxPerUser} keys: end one first`);
    security.record('api-key.changed', { username, reason: 'created' });
    const stored = { ...created, createdAt: new Date(clock.now()).toISOString(), lastUsedAt: null };
    return { ...viewOf(stored), key: text };
  }

  /** The user of a key; undefined if there is no such key. */
  async ownerOf(id: string): Promise<string | undefined> {
    return z.uuid().safeParse(id).success ? this.#deps.store.ownerOf(id) : undefined;
  }

  /**
   * Ends a key of a user with its session.
   *
   * @returns false if there is no such key
   */
  async end(id: string, username: string, by: string): Promise<boolean> {
    if (!z.uuid().safeParse(id).success) return false;
    const { store, accounts, uses, security } = this.#deps;
    const owner = await accounts.find(username);
    if (owner === undefined) return false;
    const key = await store.remove(id, owner.id);
    if (key === undefined) return false;
    const reason = by === key.username ? 'ended by the user' : 'ended by an administrator';
    security.record('api-key.changed', { username: key.username, reason });
    // Before the gateway forgets the key: its next request is refused as that of a key that ended.
    await uses.remember(key, 'ended');
    await this.#endSession(key);
    return true;
  }

  /** Ends the keys of a user who was disabled or removed. */
  async follow(username: string): Promise<void> {
    const { store, accounts, uses, security } = this.#deps;
    if ((await accounts.find(username))?.isActive === true) return;
    const ended = await store.removeOf(username);
    if (ended.length === 0) return;
    security.record('api-key.changed', { username, amount: ended.length, reason: 'user disabled or removed' });
    for (const key of ended) {
      await uses.remember(key, 'user disabled or removed');
      await this.#endSession(key);
    }
  }

  /**
   * Exchanges a key for a JWT for the services, with the roles of the key that its owner still has.
   *
   * @param address of the client, for the login history and the security events
   */
  async exchange(text: string, address?: string): Promise<ExchangeResponse | ExchangeRefused> {
    const { store, uses, signer, clock, apiScope, recordSeen } = this.#deps;
    const hash = isWellFormed(text) ? hashOfKey(text) : undefined;
    const key = hash === undefined ? undefined : await store.findByHash(hash);
    if (hash === undefined || key === undefined) {
      uses.refused({ hash, address });
      return { reason: 'invalid' };
    }
    const expiresAt = Math.floor(Date.parse(key.expiresAt) / 1000);
    const now = Math.floor(clock.now() / 1000);
    if (expiresAt <= now) {
      await this.#endSession(key);
      uses.refused({ hash, address, known: { ...key, reason: 'expired' } });
      return { reason: 'expired' };
    }
    const sub = await this.#openSession(key, address);
    if (sub === undefined) {
      uses.refused({ hash, address, known: { ...key, reason: 'user disabled or removed' } });
      return { reason: 'invalid' };
    }
    const sessionId = sessionIdOf(key);
    // Otherwise a key that ended meanwhile would leave a session.
    if ((await store.findByHash(hash)) === undefined) {
      await this.#endSession(key);
      uses.refused({ hash, address, known: { ...key, reason: 'ended' } });
      return { reason: 'invalid' };
    }
    await store.recordUse(key.id);
    await recordSeen(sessionId, clock.now());
    const { jwt, expiresAt: ends } = await signer.sign(
      { sub, aud: AUDIENCE_REST, client_id: clientIdOf(key), sid: sessionId, scope: apiScope },
      Math.min(now + MAX_JWT_SECONDS, expiresAt),
    );
    return { jwt, expiresAt: ends, sessionId };
  }

  /**
   * The session of a key is that of a login with fewer roles, so it follows changes of its user as all logins do. One
   * that ended with a new password is opened again: keys do not depend on the password.
   */
  async #openSession(key: StoredKey, address: string | undefined): Promise<string | undefined> {
    const { sessions, accounts, uses, clock } = this.#deps;
    const account = await accounts.find(key.username);
    // Another user may have the name by now.
    if (account?.isActive !== true || account.id !== key.userId) return undefined;
    const sessionId = sessionIdOf(key);
    const resumed = await sessions.resume(sessionId);
    if (resumed !== undefined) return resumed.username;
    const lifeMs = Math.max(1_000, Date.parse(key.expiresAt) - clock.now());
    const client = { clientId: clientIdOf(key), accessTokenTtlMs: lifeMs, refreshTokenTtlMs: lifeMs };
    await sessions.open(account, client, `api-key:${key.id}`, undefined, {
      sessionId,
      resourceRoles: key.resourceRoles,
    });
    uses.began(key, address);
    return (await sessions.resume(sessionId))?.username;
  }

  async #endSession(key: StoredKey): Promise<void> {
    const login = await this.#deps.logins.find(sessionIdOf(key));
    if (login !== undefined) await this.#deps.sessions.endLogin(login);
  }
}

const sessionIdOf = ({ id }: StoredKey): string => id.replaceAll('-', '').toUpperCase();

const viewOf = ({ userId: _, username: __, ...key }: StoredKey): KeyView => key;

const invalid = (text: string): PlatformError => new PlatformError('REQ_INVALID_PARAMETER', text);
