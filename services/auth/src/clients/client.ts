import type { AccessTokenFormat, GrantType } from './client-settings.ts';

/** A registered client; its secret is known to the registry alone. */
export interface Client {
  readonly clientId: string;
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
}

/** Whom the service knows as clients. */
export interface ClientRegistry {
  /** The client whose credentials these are; undefined for an unknown id as for a wrong secret. */
  authenticate(credentials: BasicCredentials): Promise<Client | undefined>;
  find(clientId: string): Client | undefined;
  all(): readonly Client[];
}

/** What an `Authorization: Basic` header carries. */
export interface BasicCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}
