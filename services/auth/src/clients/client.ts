import type { RunHashing } from '../accounts/check-credentials.ts';
import type { AccessTokenFormat, AuthenticationMethod, GrantType } from './client-settings.ts';

/** A registered client; its secret is known to the registry alone. */
export interface Client {
  readonly clientId: string;
  readonly authenticationMethods: ReadonlySet<AuthenticationMethod>;
  readonly grantTypes: ReadonlySet<GrantType>;
  readonly redirectUris: readonly string[];
  /** Scopes it may ask for, and gets when it asks for none. */
  readonly scopes: readonly string[];
  /** Whether a person is asked before the client gets a code. */
  readonly asksForConsent: boolean;
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

/** Whom the service knows as clients. */
export interface ClientRegistry {
  /** The client whose credentials these are; undefined for an unknown id as for a wrong secret or method. */
  authenticate(
    credentials: BasicCredentials,
    method?: AuthenticationMethod,
    hashing?: RunHashing,
  ): Promise<Client | undefined>;
  /** The id of the client that is meant by an id as it was sent, form-encoded or not; as it was sent where there is none. */
  idMeantBy(clientId: string): string;
  find(clientId: string): Client | undefined;
  all(): readonly Client[];
}

/** A client's id and secret, as a request carries them. */
export interface BasicCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}
