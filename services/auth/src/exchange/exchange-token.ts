import type { SessionStore } from '@lintel/cache';
import {
  ANONYMOUS,
  AUDIENCE_REST,
  authenticationClaims,
  type ExchangeRefused,
  type ExchangeResponse,
} from '@lintel/contracts';
import type { ApiKeys } from '../api-keys/api-keys.ts';
import type { ClientRegistry } from '../clients/client.ts';
import type { ExternalTokens } from '../federation/resource-server/external-tokens.ts';
import type { TokenSigner } from '../keys/sign-token.ts';
import type { Clock } from '../ports.ts';
import type { SessionService } from '../sessions/session-service.ts';

/** The stored token that the opaque value or JWT of a client refers to. */
export interface StoredAccessToken {
  readonly subject: string;
  readonly clientId: string;
  readonly sessionId: string;
  readonly scope: string | undefined;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  /** Removes the token; its next use is reported as unknown instead of expired. */
  forget(): Promise<void>;
}

export interface ExchangeDeps {
  /** Finds access tokens; expired ones can be found for some time, too. */
  readonly findAccessToken: (token: string) => Promise<StoredAccessToken | undefined>;
  readonly clients: Pick<ClientRegistry, 'find'>;
  readonly sessions: Pick<SessionStore, 'load' | 'recordSeen'>;
  readonly sessionService: Pick<SessionService, 'anonymous'>;
  readonly signer: TokenSigner;
  /** Keys of users, which are accepted as tokens. */
  readonly apiKeys?: Pick<ApiKeys, 'isOurs' | 'exchange'>;
  /** Tokens of another issuer, if they are accepted. */
  readonly external?: ExternalTokens | undefined;
  /** Whether the login of a session at an identity provider is still valid. */
  readonly isAlive?: ((sessionId: string) => Promise<boolean>) | undefined;
  readonly clock: Clock;
}

/** Maximum lifetime of a JWT: without the broker a revocation takes effect after this time. */
const MAX_JWT_SECONDS = 60;

/**
 * Exchanges an access token for a JWT for the services; the expiry of a token is reported once
 * (contract/tokens.md#unauthorized).
 */
export async function exchangeToken(
  token: string,
  { findAccessToken, apiKeys, clients, sessions, signer, external, isAlive, clock }: ExchangeDeps,
): Promise<ExchangeResponse | ExchangeRefused> {
  if (apiKeys?.isOurs(token) === true) return apiKeys.exchange(token);
  if (external?.isOurs(token) === true) return external.exchange(token);
  const stored = await findAccessToken(token);
  if (stored === undefined) return { reason: 'invalid' };
  const now = Math.floor(clock.now() / 1000);
  if (stored.expiresAt <= now) {
    await stored.forget();
    return { reason: 'expired' };
  }
  // A client that has ended cannot use the tokens that it has.
  if (clients.find(stored.clientId) === undefined) return { reason: 'invalid' };
  const session = await sessions.load(stored.sessionId);
  if (session === undefined) return { reason: 'invalid' };
  if (session.kind === 'user' && isAlive !== undefined && !(await isAlive(session.id))) return { reason: 'invalid' };
  // Accurate to a minute: each replica of the gateway exchanges the token of a session in use once a minute.
  await sessions.recordSeen(session.id, clock.now());
  const { jwt, expiresAt } = await signer.sign(
    {
      sub: stored.subject,
      aud: AUDIENCE_REST,
      client_id: stored.clientId,
      sid: stored.sessionId,
      scope: stored.scope,
      ...authenticationClaims(session),
    },
    Math.min(now + MAX_JWT_SECONDS, stored.expiresAt),
  );
  return { jwt, expiresAt, sessionId: stored.sessionId };
}

/** A JWT for calls without a token. */
export async function exchangeAnonymous({
  sessionService,
  signer,
  clock,
}: ExchangeDeps): Promise<ExchangeResponse | ExchangeRefused> {
  const session = await sessionService.anonymous();
  if (session === undefined) return { reason: 'invalid' };
  const { jwt, expiresAt } = await signer.sign(
    { sub: ANONYMOUS, aud: AUDIENCE_REST, client_id: ANONYMOUS, sid: session.id },
    Math.floor(clock.now() / 1000) + MAX_JWT_SECONDS,
  );
  return { jwt, expiresAt, sessionId: session.id };
}
