import type { SessionStore } from '@lintel/cache';
import {
  ANONYMOUS,
  AUDIENCE_FILE,
  AUDIENCE_REST,
  authenticationClaims,
  type ExchangeRefused,
  type ExchangeResponse,
  type Session,
} from '@lintel/contracts';
import type { ExternalTokens } from '@lintel/federation';
import type { ApiKeys } from '../api-keys/api-keys.ts';
import type { ClientRegistry } from '../clients/client.ts';
import type { TokenSigner } from '../keys/sign-token.ts';
import type { Clock } from '../ports.ts';
import type { SeeAs } from '../see-as/see-as.ts';
import type { SessionService } from '../sessions/session-service.ts';
import type { TicketCaller, Tickets, TicketTarget } from '../tickets/create-tickets.ts';
import type { StoredAccessToken } from '../tokens/token-lookup.ts';

export interface ExchangeDeps {
  /** Finds access tokens; expired ones can be found for some time, too. */
  readonly findAccessToken: (token: string) => Promise<StoredAccessToken | undefined>;
  readonly clients: Pick<ClientRegistry, 'find'>;
  readonly sessions: Pick<SessionStore, 'load' | 'recordSeen'>;
  readonly sessionService: Pick<SessionService, 'anonymous' | 'confirm'>;
  /** Whether sessions follow changes of their users now; false without the broker. */
  readonly receivesChanges: () => boolean;
  readonly signer: TokenSigner;
  /** Keys of users, which are accepted as tokens. */
  readonly apiKeys?: Pick<ApiKeys, 'isOurs' | 'exchange'>;
  /** Tokens with which a user sees what another one sees. */
  readonly seeAs?: Pick<SeeAs, 'isOurs' | 'exchange'>;
  readonly tickets: Pick<Tickets, 'redeem'>;
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
  { token, address }: { readonly token: string; readonly address?: string | undefined },
  deps: ExchangeDeps,
): Promise<ExchangeResponse | ExchangeRefused> {
  const { findAccessToken, apiKeys, seeAs, clients, external, clock } = deps;
  if (apiKeys?.isOurs(token) === true) return apiKeys.exchange(token, address);
  if (seeAs?.isOurs(token) === true) return seeAs.exchange(token);
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
  return jwtInSession(stored, Math.min(now + MAX_JWT_SECONDS, stored.expiresAt), deps);
}

/** Exchanges a ticket, which stands for its caller in one request (contract/tokens.md#tickets). */
export async function exchangeTicket(
  ticket: string,
  target: TicketTarget,
  deps: ExchangeDeps,
): Promise<ExchangeResponse | ExchangeRefused> {
  const caller = await deps.tickets.redeem(ticket, target);
  if (caller === undefined) return { reason: 'invalid' };
  const { sub, client_id, sid, scope } = caller;
  const expiresAt = Math.floor(deps.clock.now() / 1000) + MAX_JWT_SECONDS;
  return jwtInSession({ subject: sub, clientId: client_id, sessionId: sid, scope }, expiresAt, deps, caller);
}

/** A JWT for the services, if the session is valid. */
async function jwtInSession(
  caller: Pick<StoredAccessToken, 'subject' | 'clientId' | 'sessionId' | 'scope' | 'thumbprint'>,
  until: number,
  deps: ExchangeDeps,
  ticket?: Pick<TicketCaller, 'authentication' | 'file'>,
): Promise<ExchangeResponse | ExchangeRefused> {
  const { sessions, signer, isAlive, clock } = deps;
  const session = await currentSession(caller.sessionId, deps);
  if (session === undefined) return { reason: 'invalid' };
  if (session.kind === 'user' && isAlive !== undefined && !(await isAlive(session.id))) return { reason: 'invalid' };
  // Accurate to a minute: each replica of the gateway exchanges the token of a session in use once a minute.
  await sessions.recordSeen(session.id, clock.now());
  const { jwt, expiresAt } = await signer.sign(
    {
      sub: caller.subject,
      aud: ticket?.file === undefined ? AUDIENCE_REST : AUDIENCE_FILE,
      client_id: caller.clientId,
      sid: caller.sessionId,
      scope: caller.scope,
      file: ticket?.file,
      ...(ticket?.authentication ?? authenticationClaims(session)),
    },
    until,
  );
  const { sessionId, thumbprint } = caller;
  const isClient = session.kind === 'client' ? ({ isClient: true } as const) : {};
  return { jwt, expiresAt, sessionId, ...(thumbprint !== undefined && { thumbprint }), ...isClient };
}

/**
 * Loads a session. Without the broker it is compared with its user, so that a user who is disabled, or has lost a role,
 * has the rights of before until the next exchange only.
 */
async function currentSession(
  id: string,
  { sessions, sessionService, receivesChanges }: ExchangeDeps,
): Promise<Session | undefined> {
  const session = await sessions.load(id);
  if (session?.kind !== 'user' || receivesChanges()) return session;
  return (await sessionService.confirm(session)) ? session : undefined;
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
