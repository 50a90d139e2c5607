import type { SessionStore } from '@lintel/cache';
import { authenticationClaims } from '@lintel/contracts';
import type { Client } from '../../clients/client.ts';
import type { Form } from '../oauth/form.ts';
import { missingIntrospectedToken } from '../oauth/refusals.ts';
import type { TokenLookup } from '../token-lookup.ts';

export interface IntrospectDeps {
  readonly tokens: TokenLookup;
  readonly issuer: string;
  readonly loadSession: SessionStore['load'];
}

const INACTIVE = { active: false };

/** The body of `/oauth2/introspect`: members of contract/tokens.md#oauth2-revoke, or that the token is not active. */
export async function introspectToken(
  client: Client,
  form: Form,
  { tokens, issuer, loadSession }: IntrospectDeps,
): Promise<object> {
  const value = form.get('token');
  if (value === undefined) throw missingIntrospectedToken();
  const token = await tokens.find(value, form.get('token_type_hint'));
  // The response for the token of another client is that of an unknown token (RFC 7662 §2.2).
  if (token === undefined || !token.isValid || token.clientId !== client.clientId) return INACTIVE;
  const session = token.sessionId === undefined ? undefined : await loadSession(token.sessionId);
  // The API refuses it, too; a refresh token restores the session.
  if (session === undefined && token.kind !== 'refresh') return INACTIVE;
  return {
    active: true,
    sub: token.subject,
    aud: [token.audience],
    nbf: token.issuedAt,
    scope: token.scope,
    iss: issuer,
    exp: token.expiresAt,
    iat: token.issuedAt,
    jti: token.id,
    client_id: token.clientId,
    token_type: token.kind === 'refresh' ? undefined : token.thumbprint === undefined ? 'Bearer' : 'DPoP',
    ...(session !== undefined && authenticationClaims(session)),
    cnf: token.thumbprint === undefined ? undefined : { jkt: token.thumbprint },
  };
}
