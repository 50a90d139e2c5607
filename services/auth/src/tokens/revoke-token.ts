import type { SecurityFacts, SecurityLog } from '@lintel/telemetry';
import type { Client } from '../clients/client.ts';
import type { FoundToken, TokenLookup } from '../provider/token-lookup.ts';
import type { SessionKeeper } from '../sessions/session-keeper.ts';
import type { Form } from './form.ts';
import type { EndpointLine } from './oauth-failure.ts';
import { missingToken, tokenOfOtherClient } from './refusals.ts';

export interface RevokeDeps {
  readonly tokens: TokenLookup;
  readonly sessions: Pick<SessionKeeper, 'endGrant' | 'endClientSession'>;
  readonly security: SecurityLog;
}

/**
 * Revokes a token (RFC 7009); an unknown one counts as revoked. `/oauth/revoke` ends access and refresh
 * token whichever is given; at `/oauth2/revoke` the refresh token outlives its access token
 * (contract/tokens.md#revoke, #oauth2-revoke).
 */
export async function revokeToken(line: EndpointLine, client: Client, form: Form, deps: RevokeDeps): Promise<void> {
  const value = form.get('token');
  if (value === undefined) throw missingToken(line);
  const token = await deps.tokens.find(value, form.get('token_type_hint'));
  if (token === undefined) return;
  if (token.clientId !== client.clientId) throw tokenOfOtherClient(line);
  await endToken(line, token, deps);
  deps.security.record('token.revoked', revocationOf(token, 'revoked by its client'));
}

/** @param reason who ended it, and how */
export const revocationOf = (token: FoundToken, reason: string): SecurityFacts => ({
  ...(token.kind === 'client' ? {} : { username: token.subject }),
  clientId: token.clientId,
  ...(token.sessionId === undefined ? {} : { sessionId: token.sessionId }),
  reason,
});

async function endToken(line: EndpointLine, token: FoundToken, { sessions }: RevokeDeps): Promise<void> {
  await token.destroy();
  if (token.kind === 'client') {
    // A session of client credentials belongs to one token.
    if (token.sessionId !== undefined)
      await sessions.endClientSession(token.clientId, { sessionId: token.sessionId, tokenId: token.id });
  } else if (token.grantId !== undefined && (token.kind === 'refresh' || line === 'oauth'))
    await sessions.endGrant(token.grantId);
}
