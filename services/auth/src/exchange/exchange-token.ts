import type { SessionStore } from '@lintel/cache';
import { ANONYMOUS, AUDIENCE_REST, type ExchangeRefused, type ExchangeResponse } from '@lintel/contracts';
import type { TokenSigner } from '../keys/sign-token.ts';
import type { Clock } from '../ports.ts';
import type { SessionKeeper } from '../sessions/session-keeper.ts';

/** What an access token that a client holds, opaque or a JWT, stands for. */
export interface StoredAccessToken {
  readonly subject: string;
  readonly clientId: string;
  readonly sessionId: string;
  readonly scope: string | undefined;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  /** Forgets the token; the next use of it is unknown instead of expired. */
  forget(): Promise<void>;
}

export interface ExchangeDeps {
  /** Finds access tokens, expired ones for some time too. */
  readonly findAccessToken: (token: string) => Promise<StoredAccessToken | undefined>;
  readonly sessions: Pick<SessionStore, 'load' | 'recordSeen'>;
  readonly keeper: Pick<SessionKeeper, 'anonymous'>;
  readonly signer: TokenSigner;
  readonly clock: Clock;
}

/** No JWT lives longer: so long a revocation may stay unknown where the broker is not heard. */
const MAX_JWT_SECONDS = 60;

/**
 * Exchanges an access token for a JWT of the services; expired tokens say so once (contract/tokens.md#unauthorized).
 */
export async function exchangeToken(
  token: string,
  { findAccessToken, sessions, signer, clock }: ExchangeDeps,
): Promise<ExchangeResponse | ExchangeRefused> {
  const stored = await findAccessToken(token);
  if (stored === undefined) return { reason: 'invalid' };
  const now = Math.floor(clock.now() / 1000);
  if (stored.expiresAt <= now) {
    await stored.forget();
    return { reason: 'expired' };
  }
  const session = await sessions.load(stored.sessionId);
  if (session === undefined) return { reason: 'invalid' };
  // Each replica of the gateway comes once a minute for a session in use: that is how exact it is.
  await sessions.recordSeen(session.id, clock.now());
  const { jwt, expiresAt } = await signer.sign(
    {
      sub: stored.subject,
      aud: AUDIENCE_REST,
      client_id: stored.clientId,
      sid: stored.sessionId,
      scope: stored.scope,
    },
    Math.min(now + MAX_JWT_SECONDS, stored.expiresAt),
  );
  return { jwt, expiresAt, sessionId: stored.sessionId };
}

/** A JWT for calls without a token. */
export async function exchangeAnonymous({
  keeper,
  signer,
  clock,
}: ExchangeDeps): Promise<ExchangeResponse | ExchangeRefused> {
  const session = await keeper.anonymous();
  if (session === undefined) return { reason: 'invalid' };
  const { jwt, expiresAt } = await signer.sign(
    { sub: ANONYMOUS, aud: AUDIENCE_REST, client_id: ANONYMOUS, sid: session.id },
    Math.floor(clock.now() / 1000) + MAX_JWT_SECONDS,
  );
  return { jwt, expiresAt, sessionId: session.id };
}
