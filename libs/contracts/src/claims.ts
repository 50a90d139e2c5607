import { z } from 'zod';

/**
 * Claims of the short-lived JWT that the gateway forwards and every service verifies again
 * (design/architecture.md, Identity). Issued by auth, at most 60 s, `typ: at+jwt` (RFC 9068).
 */
export const accessClaimsSchema = z.looseObject({
  iss: z.string(),
  /** User name; the client id for client-credentials tokens; `anonymous` for calls without a token. */
  sub: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  /** Seconds since the epoch. */
  exp: z.number(),
  iat: z.number(),
  jti: z.string(),
  client_id: z.string(),
  /** Id of the session that holds roles, locale and user attributes. */
  sid: z.string(),
  scope: z.string().optional(),
  /** Set on tokens of a service that acts for the user; only internal listeners accept those. */
  act: z.object({ sub: z.string() }).optional(),
  /** Id of the report run the service token belongs to. */
  run: z.string().optional(),
});
export type AccessClaims = z.infer<typeof accessClaimsSchema>;

/** Audience of tokens for the public listeners. */
export const AUDIENCE_REST = 'lintel:rest';
/** Audience of service tokens, accepted by internal listeners only. */
export const AUDIENCE_INTERNAL = 'lintel:internal';
/** Audience of the tokens of runs that wait: good for nothing but a service token of their service and run. */
export const AUDIENCE_WAITING_RUN = 'lintel:waiting-run';
/** `sub` of calls without a token to anonymous URLs. */
export const ANONYMOUS = 'anonymous';
