/** The one protected resource: the API, named by the public address of the gateway (RFC 9728). */
export const resourceOf = (issuer: string): string => issuer.replace(/\/+$/, '');

/** Whether resource indicators (RFC 8707) name nothing but the API; `/` at the end makes no difference. */
export const isResource = (indicators: readonly string[], issuer: string): boolean =>
  indicators.every((indicator) => resourceOf(indicator) === resourceOf(issuer));
