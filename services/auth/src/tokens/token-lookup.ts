/** The stored token that the opaque value or JWT of a client refers to. */
export interface StoredAccessToken {
  readonly subject: string;
  readonly clientId: string;
  readonly sessionId: string;
  readonly scope: string | undefined;
  /** Thumbprint of the key that the token is bound to. */
  readonly thumbprint?: string | undefined;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  /** Removes the token; its next use is reported as unknown instead of expired. */
  forget(): Promise<void>;
}

/** A stored token of any kind. */
export interface FoundToken {
  readonly kind: 'access' | 'client' | 'refresh';
  /** Identifies the token and is not secret; the `jti` of a JWT. */
  readonly id: string;
  readonly clientId: string;
  /** User name, or client id for client credentials. */
  readonly subject: string;
  /** Audience of the token: the claim of a JWT, the client of an opaque token. */
  readonly audience: string;
  readonly grantId: string | undefined;
  readonly sessionId: string | undefined;
  readonly scope: string | undefined;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly isValid: boolean;
  /** Thumbprint of the key that the token is bound to (RFC 9449). */
  readonly thumbprint?: string | undefined;
  destroy(): Promise<void>;
}

/** Finds tokens by their value: opaque ones and JWTs. */
export interface TokenLookup {
  /** An access token or client-credentials token; expired ones are found as long as they are stored. */
  findAccessToken(token: string): Promise<StoredAccessToken | undefined>;
  /** A token of any kind; the hint is the kind to try first. */
  find(token: string, hint: string | undefined): Promise<FoundToken | undefined>;
}
