import type { ExchangeRefused, ExchangeResponse } from '@lintel/contracts';
import { AUDIENCE_REST } from '@lintel/contracts';
import type { FederatedSessions, FederationPorts } from '../federation-ports.ts';
import { externalAuthentication } from './external-authentication.ts';
import { createExternalSessions, type ExternalSessionsDeps } from './external-sessions.ts';
import type { ExternalClaims, ExternalVerifier } from './external-verifier.ts';

/** Access tokens of another issuer, which stand for sessions as our own do. */
export interface ExternalTokens {
  isOurs(token: string): boolean;
  exchange(token: string): Promise<ExchangeResponse | ExchangeRefused>;
  /** Ends the session of a token; this and older tokens are refused then. False for a token that is not valid. */
  endSession(token: string): Promise<boolean>;
}

export interface ExternalTokensDeps extends ExternalSessionsDeps, Pick<FederationPorts, 'signer' | 'apiScope'> {
  readonly verifier: ExternalVerifier;
  readonly sessions: ExternalSessionsDeps['sessions'] & Pick<FederatedSessions, 'recordSeen'>;
}

const MAX_JWT_SECONDS = 60;
/** A JWT of a token that is accepted only by the tolerance of the clocks. */
const MIN_JWT_SECONDS = 10;
const MAX_CLIENT_ID = 200;

export function createExternalTokens(deps: ExternalTokensDeps): ExternalTokens {
  const { verifier, signer, clock, config } = deps;
  const externalSessions = createExternalSessions(deps);

  return {
    isOurs: (token) => verifier.isOurs(token),
    async exchange(token) {
      const claims = await verifier.verify(token);
      if (typeof claims === 'string') return { reason: claims };
      const clientId = clientOf(claims);
      const session = await externalSessions.sessionFor(claims, clientId);
      if (session === undefined) return { reason: 'invalid' };
      const { sessionId, username: sub } = session;
      await deps.sessions.recordSeen(sessionId, clock.now());
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
      return externalSessions.end(claims, clientOf(claims));
    },
  };
}

/** The client at the issuer; its name cannot be that of a client of ours. */
function clientOf({ azp, client_id: id }: ExternalClaims): string {
  const name = [azp, id].find((value) => typeof value === 'string' && value !== '') ?? '';
  return `external:${String(name).slice(0, MAX_CLIENT_ID)}`;
}
