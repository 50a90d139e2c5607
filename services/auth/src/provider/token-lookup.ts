import type Provider from 'oidc-provider';
import type { StoredAccessToken } from '../exchange/exchange-token.ts';
import { sessionIdOf } from './storage/short-lived-adapter.ts';

/** A stored token of any kind. */
export interface FoundToken {
  readonly kind: 'access' | 'client' | 'refresh';
  readonly clientId: string;
  /** User name, or client id for client credentials. */
  readonly subject: string;
  readonly grantId: string | undefined;
  readonly sessionId: string | undefined;
  readonly scope: string | undefined;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly isValid: boolean;
  destroy(): Promise<void>;
}

type AnyToken =
  | InstanceType<Provider['AccessToken']>
  | InstanceType<Provider['ClientCredentials']>
  | InstanceType<Provider['RefreshToken']>;

/** Finds tokens by their value. */
export interface TokenLookup {
  /** An access token or client-credentials token, expired ones included as long as they are stored. */
  findAccessToken(token: string): Promise<StoredAccessToken | undefined>;
  /** A token of any kind; the hint says where to look first. */
  find(token: string, hint: string | undefined): Promise<FoundToken | undefined>;
}

export function createTokenLookup(provider: Provider): TokenLookup {
  const options = { ignoreExpiration: true };
  const findAccess = async (token: string): Promise<FoundToken | undefined> => {
    const found =
      (await provider.AccessToken.find(token, options)) ?? (await provider.ClientCredentials.find(token, options));
    return found === undefined ? undefined : toFound(found);
  };
  const findRefresh = async (token: string): Promise<FoundToken | undefined> => {
    const found = await provider.RefreshToken.find(token, options);
    return found === undefined ? undefined : toFound(found);
  };
  return {
    async findAccessToken(token) {
      const found = await findAccess(token);
      if (found?.sessionId === undefined) return undefined;
      const { subject, clientId, sessionId, scope, expiresAt } = found;
      return { subject, clientId, sessionId, scope, expiresAt, forget: () => found.destroy() };
    },
    find: async (token, hint) =>
      hint === 'refresh_token'
        ? ((await findRefresh(token)) ?? (await findAccess(token)))
        : ((await findAccess(token)) ?? (await findRefresh(token))),
  };
}

function toFound(token: AnyToken): FoundToken {
  const clientId = token.clientId ?? '';
  return {
    kind: token.kind === 'AccessToken' ? 'access' : token.kind === 'ClientCredentials' ? 'client' : 'refresh',
    clientId,
    subject: token.kind === 'ClientCredentials' ? clientId : token.accountId,
    grantId: token.kind === 'ClientCredentials' ? undefined : token.grantId,
    sessionId: sessionIdOf({
      sid: token.kind === 'ClientCredentials' ? undefined : token.sid,
      extra: token.kind === 'RefreshToken' ? undefined : token.extra,
    }),
    scope: token.scope,
    issuedAt: token.iat,
    expiresAt: token.exp ?? 0,
    isValid: token.isValid,
    destroy: () => token.destroy(),
  };
}
