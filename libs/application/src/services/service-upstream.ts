/** A service that a server of the application's own provides. */
export interface ServiceUpstream {
  readonly kind: 'service-upstream';
  readonly name: string;
  readonly url: string;
}

/**
 * Forwards calls of `/rest/services/<name>` and below to a server of the application's own, for callers that
 * may use the API. The request keeps its path; its `Authorization` header is a token that the server can
 * check by the JWKS of the platform.
 */
export const serviceUpstream = (name: string, url: string): ServiceUpstream =>
  Object.freeze({ kind: 'service-upstream', name, url });

export const isServiceUpstream = (value: object): value is ServiceUpstream =>
  'kind' in value && value.kind === 'service-upstream';
