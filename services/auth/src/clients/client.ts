import type { Acr } from '@lintel/contracts';
import type { RunHashing } from '@lintel/login';
import type { JWTVerifyGetKey } from 'jose';
import type { SecretCheck } from './client-secret.ts';
import type { AccessTokenFormat, AuthenticationMethod, GrantType } from './client-settings.ts';

/** A registered client; only the registry has its secret. */
export interface Client {
  readonly clientId: string;
  /** What pages call it. */
  readonly name: string;
  readonly authenticationMethods: ReadonlySet<AuthenticationMethod>;
  /** Whether it has no secret: it proves each code (PKCE), and its refresh tokens rotate (RFC 9700 §§2.1.1, 2.2.2). */
  readonly isPublic: boolean;
  readonly grantTypes: ReadonlySet<GrantType>;
  readonly redirectUris: readonly string[];
  /** Where a logout that it starts may lead. */
  readonly postLogoutRedirectUris: readonly string[];
  /** Where it receives the end of logins in the browser. */
  readonly backchannelLogoutUri: string | undefined;
  /** Scopes that it may request, and receives when it requests none. */
  readonly scopes: readonly string[];
  /** Whether the user must consent before the client receives a code. */
  readonly asksForConsent: boolean;
  /** The weakest authentication of users that it accepts; undefined: any. */
  readonly requiredAcr: Acr | undefined;
  /** Roles of its client-credentials tokens. */
  readonly resourceRoles: readonly string[];
  readonly rowLevelRoles: readonly string[];
  readonly accessTokenFormat: AccessTokenFormat;
  readonly accessTokenTtlMs: number;
  readonly refreshTokenTtlMs: number;
  readonly authorizationCodeTtlMs: number;
  /** Whether a refresh returns the same refresh token. */
  readonly reusesRefreshTokens: boolean;
}

/** The registered clients. */
export interface ClientRegistry {
  /** The client with these credentials; undefined for an unknown id, a wrong secret and a wrong method. */
  authenticate(
    credentials: BasicCredentials,
    method?: AuthenticationMethod,
    hashing?: RunHashing,
  ): Promise<Client | undefined>;
  /** The public client of this id, which names itself without a secret. */
  findPublic(clientId: string): Client | undefined;
  /** The keys of a client that authenticates with `private_key_jwt`. */
  keysOf(clientId: string): JWTVerifyGetKey | undefined;
  /** The registered id for an id that was sent form-encoded or not; the sent id where there is no such client. */
  idMeantBy(clientId: string): string;
  find(clientId: string): Client | undefined;
  /** Whether the client is part of the configuration, and not of the database. */
  isConfigured(clientId: string): boolean;
  configured(): readonly Client[];
  /** Those of the configuration, and those of the database that may be used now. */
  all(): readonly Client[];
}

/** A client with what it authenticates by. */
export interface ClientEntry {
  readonly client: Client;
  readonly keys?: JWTVerifyGetKey;
  /** Absent for a client without a secret. */
  readonly isSecret?: SecretCheck;
}

/** The clients of the database that may be used now. */
export interface StoredEntries {
  find(clientId: string): ClientEntry | undefined;
  all(): readonly Client[];
}

/** A client's id and secret, as a request carries them. */
export interface BasicCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}
