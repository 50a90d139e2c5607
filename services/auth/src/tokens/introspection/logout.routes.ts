import { PlatformError } from '@lintel/errors';
import { forbidCaching, type ProofCheck, presentedToken, refuseMethod, sendError } from '@lintel/http';
import type { SecurityLog } from '@lintel/telemetry';
import type { Request, Response, Router } from 'express';
import type { LoginSessions } from '../../sessions/login-sessions.ts';
import type { SessionService } from '../../sessions/session-service.ts';
import type { TokenLookup } from '../token-lookup.ts';
import { revocationOf } from './revoke-token.ts';

export interface TokenLogoutDeps {
  readonly isHardened: boolean;
  readonly proofs: ProofCheck;
  readonly tokens: TokenLookup;
  readonly sessions: Pick<SessionService, 'endGrant' | 'endClientSession'>;
  readonly security: SecurityLog;
  readonly loginSessions: Pick<LoginSessions, 'endOfGrant'>;
  /** Ends the session of a token of another issuer. */
  readonly endExternal?: ((token: string) => Promise<void>) | undefined;
}

/** Registers the logout with a token. */
export function registerTokenLogout(router: Router, deps: TokenLogoutDeps): void {
  router.all('/logout', (request, response) => logout(request, response, deps));
}

/** Ends the login of the token in the header; an unknown token counts as logged out. */
async function logout(
  request: Request,
  response: Response,
  { tokens, sessions, loginSessions, security, endExternal, isHardened, proofs }: TokenLogoutDeps,
): Promise<void> {
  request.resume();
  forbidCaching(response);
  if (!['GET', 'HEAD', 'POST'].includes(request.method)) return refuseMethod(request, response, ['GET', 'POST']);
  if (isHardened && 'access_token' in request.query)
    throw new PlatformError('REQ_INVALID_PARAMETER', 'The token is accepted in the Authorization header only');
  const presented = presentedToken(request.headers.authorization);
  if (presented === undefined) return sendError(response, new PlatformError('AUTH_UNAUTHORIZED'));
  const { token: value } = presented;
  await endExternal?.(value);
  const token = await tokens.find(value, 'access_token');
  if (token !== undefined) {
    await proofs.assertPresented(request, presented, token.thumbprint);
    await token.destroy();
    if (token.grantId !== undefined) {
      await loginSessions.endOfGrant(token.grantId);
      await sessions.endGrant(token.grantId);
    } else if (token.sessionId !== undefined)
      await sessions.endClientSession(token.clientId, { sessionId: token.sessionId, tokenId: token.id });
    security.record('token.revoked', revocationOf(token, 'logout'));
  }
  response.setHeader('Content-Length', 0);
  response.status(200).end();
}
