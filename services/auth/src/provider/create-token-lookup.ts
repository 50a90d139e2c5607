import { AUDIENCE_API } from '@lintel/contracts';
import type Provider from 'oidc-provider';
import type { ClientRegistry } from '../clients/client.ts';
import { hashToken } from '../hash-token.ts';
import type { TokenSigner } from '../keys/sign-token.ts';
import type { Clock } from '../ports.ts';
import type { FoundToken, TokenLookup } from '../tokens/token-lookup.ts';
import type { GrantStore } from './storage/grant-store.ts';
import { sessionIdOf } from './storage/short-lived-adapter.ts';

export interface TokenLookupDeps {
  readonly provider: Provider;
  readonly grants: GrantStore;
  readonly signer: TokenSigner;
  /** The clients that may be used now: a token of another client is not valid. */
  readonly clients: Pick<ClientRegistry, 'find'>;
  readonly clock: Clock;
}

export function createTokenLookup({ provider, grants, signer, clients, clock }: TokenLookupDeps): TokenLookup {
  const findAccess = async (token: string): Promise<FoundToken | undefined> => {
    const isJwt = token.includes('.');
    const id = isJwt ? await idOfJwt(token, signer) : hashToken(token);
    const stored = id === undefined ? undefined : await grants.findAccessToken(id);
    if (id === undefined || stored === undefined) return undefined;
    const { model, payload } = stored;
    const {
      clientId = '',
      accountId = '',
      exp: expiresAt = 0,
      iat: issuedAt = 0,
      grantId,
      scope,
      jkt: thumbprint,
    } = payload;
    const isOfClient = model === 'ClientCredentials';
    return {
      kind: isOfClient ? 'client' : 'access',
      id,
      clientId,
      subject: isOfClient ? clientId : accountId,
      audience: isJwt ? AUDIENCE_API : clientId,
      grantId,
      sessionId: sessionIdOf(payload),
      scope,
      issuedAt,
      expiresAt,
      isValid: expiresAt > clock.now() / 1000 && clients.find(clientId) !== undefined,
      thumbprint,
      destroy: () => grants.endAccessToken(model, id),
    };
  };
  const findRefresh = async (token: string): Promise<FoundToken | undefined> => {
    const found = await provider.RefreshToken.find(token, { ignoreExpiration: true });
    if (found === undefined) return undefined;
    const clientId = found.clientId ?? '';
    return {
      kind: 'refresh',
      id: hashToken(token),
      clientId,
      subject: found.accountId,
      audience: clientId,
      grantId: found.grantId,
      sessionId: found.sid,
      scope: found.scope,
      issuedAt: found.iat,
      expiresAt: found.exp ?? 0,
      isValid: found.isValid,
      destroy: () => found.destroy(),
    };
  };
  return {
    async findAccessToken(token) {
      const found = await findAccess(token);
      if (found?.sessionId === undefined) return undefined;
      const { subject, clientId, sessionId, scope, expiresAt, thumbprint } = found;
      return { subject, clientId, sessionId, scope, expiresAt, thumbprint, forget: () => found.destroy() };
    },
    find: async (token, hint) =>
      hint === 'refresh_token'
        ? ((await findRefresh(token)) ?? (await findAccess(token)))
        : ((await findAccess(token)) ?? (await findRefresh(token))),
  };
}

/** The id of the stored token of a JWT; undefined if this service has not signed the JWT for clients. */
const idOfJwt = async (jwt: string, signer: TokenSigner): Promise<string | undefined> =>
  (await signer.verify(jwt, [AUDIENCE_API], { ignoreExpiration: true }))?.jti;
