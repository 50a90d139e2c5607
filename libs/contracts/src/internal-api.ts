import { z } from 'zod';

/**
 * Bodies of the internal listeners, which the gateway never routes to. Callers authenticate with the
 * shared secret `svc.internal.secret` (auth) or a service token (data, files).
 */

/** `POST /internal/exchange` on auth: an access token of a client for a JWT, or an anonymous JWT. */
export const exchangeRequestSchema = z.union([
  z.object({ token: z.string().min(1) }),
  z.object({ anonymous: z.literal(true) }),
]);
export type ExchangeRequest = z.infer<typeof exchangeRequestSchema>;

export const exchangeResponseSchema = z.object({
  jwt: z.string(),
  /** End of the JWT, seconds since the epoch. */
  expiresAt: z.number(),
  sessionId: z.string(),
});
export type ExchangeResponse = z.infer<typeof exchangeResponseSchema>;

/** Body of the 401 of `/internal/exchange`. */
export const exchangeRefusedSchema = z.object({ reason: z.enum(['invalid', 'expired']) });
export type ExchangeRefused = z.infer<typeof exchangeRefusedSchema>;

/** `POST /internal/service-tokens` on auth: a service asks to act for the user of a JWT it received. */
export const serviceTokenRequestSchema = z.object({
  /** The caller's JWT, or an earlier service token of the same run. */
  subjectToken: z.string().min(1),
  /** Name of the acting service. */
  actor: z.enum(['reports', 'files', 'data']),
  run: z.string().min(1),
  /**
   * `now`: a token for the internal listeners. `later`: one of at most a day, for a run that waits, which stands
   * for the caller's when the run begins.
   */
  use: z.enum(['now', 'later']).default('now'),
});
export type ServiceTokenRequest = z.input<typeof serviceTokenRequestSchema>;
export const serviceTokenResponseSchema = z.object({ jwt: z.string(), expiresAt: z.number() });
export type ServiceTokenResponse = z.infer<typeof serviceTokenResponseSchema>;

/**
 * `POST /internal/session-locale` on auth: the locale of a session from now on. 204, or 404 where the session
 * has ended or is the one of calls without a token.
 */
export const sessionLocaleRequestSchema = z.object({
  sessionId: z.string().min(1),
  /** One of the available locales, underscore form. */
  locale: z.string().min(1).max(20),
});
export type SessionLocaleRequest = z.infer<typeof sessionLocaleRequestSchema>;

/**
 * `POST /internal/datasets` on data. The answer is `application/x-ndjson`: one row, a JSON object, per
 * line; a last line `{"$end": <rows>}` tells that nothing is missing.
 */
export const datasetRequestSchema = z.object({
  /** Entity whose instances are read under the caller's access. */
  entity: z.string(),
  /** Filter in the client form (specification 2.2). */
  filter: z.unknown().optional(),
  /** Named or inline fetch plan. */
  fetchPlan: z.unknown().optional(),
  sort: z.string().optional(),
  /** Locale of instance names, one of the available ones; the caller's without it. */
  locale: z.string().optional(),
});
export type DatasetRequest = z.infer<typeof datasetRequestSchema>;

/** Last line of a data set. */
export const datasetEndSchema = z.object({ $end: z.number() });

/**
 * `/internal/files` on files, with the query parameter `fileRef` or, to store, `name`:
 *
 * - `GET` (and `HEAD`) answers the bytes with the headers of a download, ranges included; 404 without a body
 * - `POST` with the bytes as body and their `Content-Type`, and optionally `storageName`: 201 and the stored
 *   file. It belongs to the service of the token (`act`)
 * - `DELETE` of a file that belongs to the service: 204, also where it is gone; 403 for any other file. Instead
 *   of a service token the shared secret will do, since what has outlived its run has no user
 */
export const storedFileSchema = z.object({
  fileRef: z.string(),
  name: z.string(),
  /** Bytes stored. */
  size: z.number(),
});
export type StoredFile = z.infer<typeof storedFileSchema>;
