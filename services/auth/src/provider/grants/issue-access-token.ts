import { AUDIENCE_API, authenticationClaims, type Session } from '@lintel/contracts';
import type Provider from 'oidc-provider';
import { hashToken } from '../../hash-token.ts';
import type { GrantRequest, TokenGrantDeps } from './token-grant-deps.ts';

type AnyAccessToken = InstanceType<Provider['AccessToken']> | InstanceType<Provider['ClientCredentials']>;

/** An access token in the form that the client receives. */
export interface IssuedAccessToken {
  readonly value: string;
  /** The id of the stored token. */
  readonly id: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Stores an access token and returns it in the format of its client (`access-token-format`): the opaque value, or a JWT
 * of RFC 9068 whose `jti` names the stored token. Both are valid only as long as it is stored. The opaque value of a
 * JWT is never disclosed.
 *
 * @param session that the token belongs to
 */
export async function issueAccessToken(
  token: AnyAccessToken,
  session: Session,
  { client, thumbprint }: Pick<GrantRequest, 'client' | 'thumbprint'>,
  { signer, clock }: Pick<TokenGrantDeps, 'signer' | 'clock'>,
): Promise<IssuedAccessToken> {
  if (thumbprint !== undefined) token.setThumbprint('jkt', thumbprint);
  const value = await token.save();
  const id = hashToken(value);
  const expiresAt = Math.floor(clock.now() / 1000) + token.expiration;
  if (client.accessTokenFormat === 'reference') return { value, id, expiresAt };
  const claims = {
    sub: token.kind === 'ClientCredentials' ? client.clientId : token.accountId,
    aud: AUDIENCE_API,
    client_id: client.clientId,
    sid: session.id,
    ...authenticationClaims(session),
    scope: token.scope,
    jti: id,
    ...(thumbprint !== undefined && { cnf: { jkt: thumbprint } }),
  };
  const { jwt } = await signer.sign(claims, expiresAt);
  return { value: jwt, id, expiresAt };
}
