import { hash, randomBytes } from 'node:crypto';
import type { KeyValueStore, SessionStore } from '@lintel/cache';
import {
  AUDIENCE_REST,
  type ExchangeRefused,
  type ExchangeResponse,
  type SeeAsRequest,
  type SeeAsResponse,
  type Session,
} from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { SecurityLog } from '@lintel/telemetry';
import { z } from 'zod';
import type { AccountDirectory } from '../accounts/account.ts';
import type { TokenSigner } from '../keys/sign-token.ts';
import type { Clock } from '../ports.ts';
import { seeAsGrantOf } from '../sessions/login.ts';
import type { SessionService } from '../sessions/session-service.ts';

export interface SeeAsDeps {
  readonly keyValues: Pick<KeyValueStore, 'get' | 'set' | 'delete'>;
  readonly sessions: Pick<SessionStore, 'load'>;
  readonly sessionService: Pick<SessionService, 'open' | 'resume' | 'endSeen'>;
  readonly accounts: Pick<AccountDirectory, 'find'>;
  readonly signer: Pick<TokenSigner, 'sign'>;
  readonly security: SecurityLog;
  readonly apiScope: string;
  readonly clock: Clock;
}

const LIFE_SECONDS = 15 * 60;
const MAX_JWT_SECONDS = 60;
const SECRET_BYTES = 32;
const PREFIX = 'lv_';

const storedSchema = z.object({
  sessionId: z.string(),
  /** The session of the caller, and its roles then: the rights of the caller were compared with these. */
  callerSessionId: z.string(),
  callerRoles: z.string(),
  userRoles: z.string(),
  /** Seconds since the epoch. */
  expiresAt: z.number(),
});
type Stored = z.infer<typeof storedSchema>;

/** Names that cannot log in. */
const WITHOUT_LOGIN: ReadonlySet<string> = new Set(['system', 'anonymous']);

/**
 * Sessions with which a caller sees what another user sees (contract/rights.md#see-as). Such a session is a login of
 * the user, so it follows all changes of the user, is in the list of the user's sessions, and can be ended there. It
 * is for reading alone: the services refuse everything else because the session has `seenBy`.
 */
export class SeeAs {
  readonly #deps: SeeAsDeps;

  constructor(deps: SeeAsDeps) {
    this.#deps = deps;
  }

  readonly isOurs = (token: string): boolean => token.startsWith(PREFIX);

  /**
   * Begins a session; an earlier one of the same caller ends. The data service has compared the rights of the two.
   *
   * @throws PlatformError REQ_NOT_FOUND, ACCESS_DENIED
   */
  async begin({ username, caller }: SeeAsRequest): Promise<SeeAsResponse> {
    const { accounts, sessions, sessionService, keyValues, clock, security } = this.#deps;
    const account = await accounts.find(username);
    if (account?.isActive !== true || WITHOUT_LOGIN.has(username))
      throw new PlatformError('REQ_NOT_FOUND', 'There is no such user');
    const own = await sessions.load(caller.sessionId);
    if (own?.username !== caller.username || own.kind !== 'user' || own.seenBy !== undefined)
      throw new PlatformError('ACCESS_DENIED', 'The session of the caller has ended');
    await this.end(caller.sessionId);
    const lifeMs = LIFE_SECONDS * 1_000;
    const client = { clientId: `see-as:${caller.username}`, accessTokenTtlMs: lifeMs, refreshTokenTtlMs: lifeMs };
    const session = await sessionService.open(account, client, seeAsGrantOf(caller.sessionId), undefined, {
      seenBy: caller.username,
    });
    const token = `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`;
    const stored: Stored = {
      sessionId: session.id,
      callerSessionId: caller.sessionId,
      callerRoles: rolesOf(own),
      userRoles: rolesOf(session),
      expiresAt: Math.floor(clock.now() / 1_000) + LIFE_SECONDS,
    };
    await keyValues.set(keyOf(token), JSON.stringify(stored), lifeMs);
    security.record('see-as.begun', { username, by: caller.username, sessionId: session.id });
    return { username, access_token: token, expires_in: LIFE_SECONDS };
  }

  /** Ends what a session of a caller has begun. */
  end(callerSessionId: string): Promise<void> {
    return this.#deps.sessionService.endSeen([callerSessionId]);
  }

  /**
   * Exchanges a token for a JWT. The session has ended if the session of the caller has, or if the roles of one of the
   * two have changed: their rights were compared when it began.
   */
  async exchange(token: string): Promise<ExchangeResponse | ExchangeRefused> {
    const { keyValues, sessions, sessionService, signer, apiScope, clock } = this.#deps;
    const text = await keyValues.get(keyOf(token));
    if (text === undefined) return { reason: 'invalid' };
    const stored = storedSchema.parse(JSON.parse(text));
    const now = Math.floor(clock.now() / 1_000);
    const caller = await sessions.load(stored.callerSessionId);
    const session = await sessionService.resume(stored.sessionId);
    if (
      stored.expiresAt <= now ||
      caller === undefined ||
      session === undefined ||
      rolesOf(caller) !== stored.callerRoles ||
      rolesOf(session) !== stored.userRoles
    ) {
      // Of a session that has ended already the caller may have begun another one.
      if (session !== undefined) await this.end(stored.callerSessionId);
      await keyValues.delete(keyOf(token));
      return { reason: stored.expiresAt <= now ? 'expired' : 'invalid' };
    }
    const { jwt, expiresAt } = await signer.sign(
      { sub: session.username, aud: AUDIENCE_REST, client_id: session.clientId, sid: session.id, scope: apiScope },
      Math.min(now + MAX_JWT_SECONDS, stored.expiresAt),
    );
    return { jwt, expiresAt, sessionId: session.id };
  }
}

const keyOf = (token: string): string => `see-as:${hash('sha256', token, 'base64url')}`;
const rolesOf = ({ resourceRoles, rowLevelRoles }: Session): string =>
  JSON.stringify([resourceRoles.toSorted(), rowLevelRoles.toSorted()]);
