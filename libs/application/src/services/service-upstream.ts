/** A service that a server of the application's own provides. */
export interface ServiceUpstream {
  readonly kind: 'service-upstream';
  /** Name of the service: calls of `/rest/services/<name>` and below are forwarded. */
  readonly name: string;
  /** Address of the server; the path of the request is appended unchanged. */
  readonly url: string;
}

/**
 * Forwards calls of `/rest/services/<name>` and below to a server of the application's own, for callers that
 * may use the API. The request keeps its path; its `Authorization` header is a token that the server can
 * check by the JWKS of the platform.
 */
export const serviceUpstream = (name: string, url: string): ServiceUpstream =>
  Object.freeze({ kind: 'service-upstream', name, url });

/** Whether a value was created by `serviceUpstream`. */
export const isServiceUpstream = (value: object): value is ServiceUpstream =>
  'kind' in value && value.kind === 'service-upstream';
