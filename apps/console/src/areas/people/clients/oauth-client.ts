/** A client of OAuth, as the API has it. */
export interface OAuthClient {
  readonly clientId: string;
  readonly name?: string | null;
  readonly source: 'configuration' | 'database';
  readonly enabled?: boolean;
  readonly grantTypes?: readonly string[];
  readonly redirectUris?: readonly string[];
  readonly scopes?: readonly string[] | null;
  readonly resourceRoles?: readonly string[];
  readonly rowLevelRoles?: readonly string[];
  readonly expiresAt?: string | null;
  readonly secrets?: readonly ClientSecret[];
}

/** A secret without its value, which is shown once. */
export interface ClientSecret {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt?: string | null;
}

/** The grants that a client can have. */
export const GRANTS = ['authorization_code', 'refresh_token', 'client_credentials', 'password'];
