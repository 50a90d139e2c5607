import type { SessionStore } from '@lintel/cache';
import { PlatformError } from '@lintel/errors';
import { type ProofCheck, presentedToken, sendError, sendJson } from '@lintel/http';
import type { Request, Response, Router } from 'express';
import type { AccountDirectory } from '../../accounts/account.ts';
import type { TokenLookup } from '../token-lookup.ts';
import { splitScope } from '../token-request.ts';
import { USERINFO_PATH, userClaims } from './user-claims.ts';

export interface UserInfoDeps {
  readonly tokens: Pick<TokenLookup, 'find'>;
  readonly sessions: Pick<SessionStore, 'load'>;
  readonly accounts: Pick<AccountDirectory, 'find'>;
  readonly proofs: ProofCheck;
}

/** Responds with the claims about the user of an access token whose scope has `openid`. */
export function registerUserInfo(router: Router, deps: UserInfoDeps): void {
  router.get(USERINFO_PATH, (request, response) => respond(request, response, deps));
  router.post(USERINFO_PATH, (request, response) => respond(request, response, deps));
}

async function respond(request: Request, response: Response, deps: UserInfoDeps): Promise<void> {
  request.resume();
  const presented = presentedToken(request.headers.authorization);
  if (presented === undefined) return sendError(response, new PlatformError('AUTH_UNAUTHORIZED'));
  const token = await deps.tokens.find(presented.token, 'access_token');
  if (token?.kind !== 'access' || !token.isValid || token.sessionId === undefined) return refuse(response);
  await deps.proofs.assertPresented(request, presented, token.thumbprint);
  const [session, account] = await Promise.all([
    deps.sessions.load(token.sessionId),
    deps.accounts.find(token.subject),
  ]);
  if (session === undefined || account?.isActive !== true) return refuse(response);
  const scopes = splitScope(token.scope);
  if (!scopes.includes('openid')) return sendError(response, scopeDenied());
  sendJson(response, 200, userClaims(account, scopes));
}

const refuse = (response: Response): void => sendError(response, new PlatformError('AUTH_INVALID_TOKEN'));

const scopeDenied = (): PlatformError =>
  new PlatformError('ACCESS_SCOPE_DENIED', 'The access token needs the scope openid', {
    headers: {
      'WWW-Authenticate':
        'Bearer realm="oauth2-resource", error="insufficient_scope", error_description="The access token needs the scope openid", scope="openid"',
    },
  });
