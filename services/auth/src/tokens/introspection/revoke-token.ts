import type { SecurityFacts, SecurityLog } from '@lintel/telemetry';
import type { Client } from '../../clients/client.ts';
import type { SessionService } from '../../sessions/session-service.ts';
import type { Form } from '../oauth/form.ts';
import type { EndpointFamily } from '../oauth/oauth-failure.ts';
import { missingToken, tokenOfOtherClient } from '../oauth/refusals.ts';
import type { FoundToken, TokenLookup } from '../token-lookup.ts';

export interface RevokeDeps {
  readonly tokens: TokenLookup;
  readonly sessions: Pick<SessionService, 'endGrant' | 'endClientSession'>;
  readonly security: SecurityLog;
}

/**
 * Revokes a token (RFC 7009); an unknown one counts as revoked. `/oauth/revoke` ends both the access and the refresh
 * token for either of them; at `/oauth2/revoke` the refresh token outlives its access token
 * (contract/tokens.md#revoke, #oauth2-revoke).
 */
export async function revokeToken(family: EndpointFamily, client: Client, form: Form, deps: RevokeDeps): Promise<void> {
  const value = form.get('token');
  if (value === undefined) throw missingToken(family);
  const token = await deps.tokens.find(value, form.get('token_type_hint'));
  if (token === undefined) return;
  if (token.clientId !== client.clientId) throw tokenOfOtherClient(family);
  await endToken(family, token, deps);
  deps.security.record('token.revoked', revocationOf(token, 'revoked by its client'));
}

/**
 * @param reason the cause of the revocation
 */
export const revocationOf = (token: FoundToken, reason: string): SecurityFacts => ({
  ...(token.kind === 'client' ? {} : { username: token.subject }),
  clientId: token.clientId,
  ...(token.sessionId === undefined ? {} : { sessionId: token.sessionId }),
  reason,
});

async function endToken(family: EndpointFamily, token: FoundToken, { sessions }: RevokeDeps): Promise<void> {
  await token.destroy();
  if (token.kind === 'client') {
    // A session of client credentials belongs to one token.
    if (token.sessionId !== undefined)
      await sessions.endClientSession(token.clientId, { sessionId: token.sessionId, tokenId: token.id });
  } else if (token.grantId !== undefined && (token.kind === 'refresh' || family === 'oauth'))
    await sessions.endGrant(token.grantId);
}
