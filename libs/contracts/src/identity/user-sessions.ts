import { z } from 'zod';

/*
 * Bodies of the internal listener of auth for the logins of users: `POST /internal/user-sessions` lists those of a user,
 * `…/end` ends some, `…/history` returns earlier attempts. The caller decides who may do that.
 */

const username = z.string().min(1).max(255);

export const userSessionsRequestSchema = z.object({ username });

export const userSessionSchema = z.object({
  id: z.string(),
  clientId: z.string(),
  startedAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable().describe('Accurate to a minute'),
  address: z.string().nullable().describe('Address of the request for the tokens'),
  userAgent: z.string().nullable(),
});
export type UserSession = z.infer<typeof userSessionSchema>;
/** The newest first. */
export const userSessionsResponseSchema = z.object({ sessions: z.array(userSessionSchema) });

/** `…/owner`: the user of a session, null if there is none. */
export const sessionOwnerRequestSchema = z.object({ sessionId: z.string().max(100) });

/** The sessions of one user; of any user where `sessionId` alone is given. All conditions must hold. */
export const endSessionsRequestSchema = z.object({
  username: username.optional(),
  sessionId: z.string().min(1).max(100).optional(),
  clientId: z.string().min(1).max(255).optional(),
  exceptSessionId: z.string().optional(),
  /** Who ends them, for the log of security events. */
  by: username,
});
export type EndSessionsRequest = z.infer<typeof endSessionsRequestSchema>;
export const endSessionsResponseSchema = z.object({ ended: z.int().min(0) });

export const loginHistoryRequestSchema = z.object({
  username,
  limit: z.int().min(1).max(500),
  offset: z.int().min(0),
});
export type LoginHistoryRequest = z.infer<typeof loginHistoryRequestSchema>;

export const loginRecordSchema = z.object({
  at: z.iso.datetime(),
  /** `wrong-code`: a wrong second factor of any kind; `refused`: the rules of an identity provider or a directory do not accept the user, or an API key has expired or ended. */
  outcome: z.enum(['succeeded', 'wrong-password', 'wrong-code', 'disabled', 'refused']),
  /**
   * `passkey`: without a password; `token`: the first request with a token of another issuer; `api-key`: the first
   * request of a session with a key, or one that is refused.
   */
  method: z.enum(['password', 'directory', 'provider', 'second-factor', 'passkey', 'device', 'token', 'api-key']),
  /** Name of the identity provider or directory in the configuration. */
  provider: z.string().nullable(),
  clientId: z.string(),
  /** Null where it is not known. */
  address: z.string().nullable(),
});
export type LoginRecord = z.infer<typeof loginRecordSchema>;
/** The newest first. */
export const loginHistoryResponseSchema = z.object({ attempts: z.array(loginRecordSchema) });
