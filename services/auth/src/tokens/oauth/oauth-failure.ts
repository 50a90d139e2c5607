/**
 * The two families of endpoints: `/oauth/*` and `/oauth2/*`. Their errors differ (contract/tokens.md#oauth-errors,
 * #oauth2-errors).
 */
export type EndpointFamily = 'oauth' | 'oauth2';

export interface OAuthFailureParts {
  readonly status: number;
  /** Code of RFC 6749 §5.2. */
  readonly error: string;
  readonly description?: string;
  readonly uri?: string;
  /** Scopes that would have been allowed. */
  readonly scope?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error response of an OAuth endpoint. */
export class OAuthFailure extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Members of the body, in order. */
  readonly body: Readonly<Record<string, string>>;

  constructor(parts: OAuthFailureParts) {
    super(parts.description ?? parts.error);
    this.name = 'OAuthFailure';
    this.status = parts.status;
    this.headers = parts.headers ?? {};
    this.body = {
      error: parts.error,
      ...(parts.description === undefined ? {} : { error_description: parts.description }),
      ...(parts.uri === undefined ? {} : { error_uri: parts.uri }),
      ...(parts.scope === undefined ? {} : { scope: parts.scope }),
    };
  }
}
