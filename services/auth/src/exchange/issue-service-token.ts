import type { SessionStore } from '@lintel/cache';
import {
  type AccessClaims,
  AUDIENCE_INTERNAL,
  AUDIENCE_REST,
  AUDIENCE_WAITING_RUN,
  type ExchangeRefused,
  type ServiceTokenRequest,
  type ServiceTokenResponse,
} from '@lintel/contracts';
import type { AccountDirectory } from '../accounts/account.ts';
import type { ClientRegistry } from '../clients/client.ts';
import type { TokenSigner } from '../keys/sign-token.ts';
import type { Clock } from '../ports.ts';

export interface ServiceTokenDeps {
  readonly signer: TokenSigner;
  readonly sessions: Pick<SessionStore, 'load'>;
  readonly accounts: Pick<AccountDirectory, 'find'>;
  readonly clients: Pick<ClientRegistry, 'find'>;
  /** Whether the login of a session at an identity provider is still valid. */
  readonly isAlive?: ((sessionId: string) => Promise<boolean>) | undefined;
  readonly clock: Clock;
}

/** Lifetimes of tokens: of one for a running report, and of one for a waiting run. */
const MAX_SECONDS = { now: 300, later: 24 * 60 * 60 } as const;
/**
 * How long after its end a token of a caller or a run is exchanged: a run may wait for its start, or render without
 * reading, for longer than a token lives. Whether it goes on depends on its session.
 */
const MAX_LATE_SECONDS = 24 * 60 * 60;
const AUDIENCES = { now: AUDIENCE_INTERNAL, later: AUDIENCE_WAITING_RUN } as const;

/**
 * A token with which a service acts for the user of a run. During the run it is exchanged for a new one, unless the
 * user is disabled, or the session or its login at an identity provider ended. A waiting run has a token that no
 * listener accepts, and exchanges it when it starts.
 */
export async function issueServiceToken(
  request: ServiceTokenRequest,
  deps: ServiceTokenDeps,
): Promise<ServiceTokenResponse | ExchangeRefused> {
  const { use = 'now' } = request;
  const claims =
    (await deps.signer.verify(request.subjectToken, [AUDIENCE_REST, AUDIENCE_INTERNAL], { ignoreExpiration: true })) ??
    (await deps.signer.verify(request.subjectToken, [AUDIENCE_WAITING_RUN]));
  const now = Math.floor(deps.clock.now() / 1000);
  if (claims === undefined || claims.exp + MAX_LATE_SECONDS < now) return { reason: 'invalid' };
  if (!fits(claims, request) || !(await mayAct(claims, deps))) return { reason: 'invalid' };
  return deps.signer.sign(
    {
      sub: claims.sub,
      aud: AUDIENCES[use],
      client_id: claims.client_id,
      sid: claims.sid,
      scope: claims.scope,
      acr: claims.acr,
      amr: claims.amr,
      auth_time: claims.auth_time,
      act: { sub: request.actor },
      run: request.run,
    },
    now + MAX_SECONDS[use],
  );
}

/** A service token can be exchanged only for one of the same service and the same run. */
const fits = (claims: AccessClaims, request: ServiceTokenRequest): boolean =>
  claims.act === undefined ? claims.run === undefined : claims.act.sub === request.actor && claims.run === request.run;

async function mayAct(claims: AccessClaims, deps: ServiceTokenDeps): Promise<boolean> {
  const { sessions, accounts, clients, isAlive } = deps;
  const session = await sessions.load(claims.sid);
  // Reports write, and run in the background: a session for reading alone starts none.
  if (session === undefined || session.username !== claims.sub || session.seenBy !== undefined) return false;
  switch (session.kind) {
    case 'user':
      if ((await accounts.find(session.username))?.isActive !== true) return false;
      return isAlive === undefined || isAlive(session.id);
    case 'client':
      return clients.find(session.clientId) !== undefined;
    case 'anonymous':
      return true;
    default:
      return session.kind satisfies never;
  }
}
