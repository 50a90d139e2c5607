import { hashToken } from '../../hash-token.ts';

/** Models that must survive a restart of all processes: they are stored in PostgreSQL. */
const DURABLE: ReadonlySet<string> = new Set([
  'Client',
  'Grant',
  'InitialAccessToken',
  'RefreshToken',
  'RegistrationAccessToken',
]);

/** Models whose id is the secret of a client: only its hash is stored. */
const BEARER: ReadonlySet<string> = new Set([
  'AccessToken',
  'AuthorizationCode',
  'BackchannelAuthenticationRequest',
  'ClientCredentials',
  'DeviceCode',
  'InitialAccessToken',
  'PreAuthorizedCode',
  'PushedAuthorizationRequest',
  'RefreshToken',
  'RegistrationAccessToken',
]);

/** Tokens that the gateway may have exchanged and cached: those of users and of clients. */
export const EXCHANGEABLE = ['AccessToken', 'ClientCredentials'] as const;
export type ExchangeableModel = (typeof EXCHANGEABLE)[number];

export const isDurable = (model: string): boolean => DURABLE.has(model);
export const isExchangeable = (model: string): boolean => EXCHANGEABLE.some((each) => each === model);

/** A one-time code or refresh token was used a second time. */
export class ConsumedError extends Error {
  constructor(model: string) {
    super(`${model} was consumed by another request`);
    this.name = 'ConsumedError';
  }
}

/** The key under which a model is stored. */
export const storedIdOf = (model: string, id: string): string => (BEARER.has(model) ? hashToken(id) : id);

/** The payload to store: without the id where the id is a secret. */
export function withoutSecretId<P extends { readonly jti?: string | undefined }>(model: string, payload: P): P {
  if (!BEARER.has(model)) return payload;
  const { jti: _, ...rest } = payload;
  return rest as P;
}
