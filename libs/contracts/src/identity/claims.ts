import { z } from 'zod';

/**
 * Claims of the JWTs of auth, `typ: at+jwt` (RFC 9068): those of at most 60 s that the gateway forwards and
 * every service verifies again (docs/architecture.md, Who is calling), and those that clients hold.
 */
export const accessClaimsSchema = z.looseObject({
  iss: z.string(),
  /** User name; the client id for client-credentials tokens; `anonymous` for calls without a token. */
  sub: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  /** Seconds since the epoch. */
  exp: z.number(),
  iat: z.number(),
  /** In a JWT that a client holds: the name of the stored token that it stands for. */
  jti: z.string(),
  client_id: z.string(),
  /** Id of the session that holds roles, locale and user attributes. */
  sid: z.string(),
  scope: z.string().optional(),
  /** How the user was authenticated, and when (RFC 9068 §2.2.1); absent where it is not known. */
  acr: z.string().optional(),
  amr: z.array(z.string()).optional(),
  auth_time: z.number().optional(),
  /** Set on tokens of a service that acts for the user; only internal listeners accept those. */
  act: z.object({ sub: z.string() }).optional(),
  /** Id of the report run the service token belongs to. */
  run: z.string().optional(),
  /** `<storage>://<path>`: the only file that a token for `AUDIENCE_FILE` opens. */
  file: z.string().optional(),
});
export type AccessClaims = z.infer<typeof accessClaimsSchema>;

/**
 * Audience of the JWTs that clients hold. The gateway alone takes them, and exchanges them as it does opaque
 * tokens: what a service receives is at most a minute old.
 */
export const AUDIENCE_API = 'lintel:api';
/** Audience of tokens for the public listeners of the services. */
export const AUDIENCE_REST = 'lintel:rest';
/** Audience of the tokens of tickets that application code hands out: they open one file, and nothing else. */
export const AUDIENCE_FILE = 'lintel:file';
/** Audience of service tokens, accepted by internal listeners only. */
export const AUDIENCE_INTERNAL = 'lintel:internal';
/** Audience of the tokens of runs that wait: good for nothing but a service token of their service and run. */
export const AUDIENCE_WAITING_RUN = 'lintel:waiting-run';
/** `sub` of calls without a token to anonymous URLs. */
export const ANONYMOUS = 'anonymous';
