import { z } from 'zod';

/*
 * Bodies of the internal listener of auth for what the API administers there: clients, API keys and consents. The
 * service that calls has checked whether the caller may use the operation; auth checks the values.
 */

const name = z.string().min(1).max(255);

/** Who calls, and which roles the caller may give to others. */
const administratorSchema = z.object({
  username: name,
  /** Whether the caller may give any role. */
  isUnlimited: z.boolean(),
  resourceRoles: z.array(z.string()),
  rowLevelRoles: z.array(z.string()),
  /** Whether the caller has every right of the user who made the client. */
  coversMaker: z.boolean(),
});
export type Administrator = z.infer<typeof administratorSchema>;

const clientId = z.string().max(2_000);

/** `POST /internal/clients/<operation>` */
export const clientRequestSchemas = {
  list: z.object({ limit: z.int().min(1).max(1_000), offset: z.int().min(0) }),
  get: z.object({ clientId }),
  /** `client`: the body of the caller, checked by auth. */
  create: z.object({ caller: administratorSchema, client: z.unknown() }),
  update: z.object({ caller: administratorSchema, clientId, client: z.unknown() }),
  remove: z.object({ caller: administratorSchema, clientId }),
  'create-secret': z.object({ caller: administratorSchema, clientId, secret: z.unknown() }),
  'remove-secret': z.object({ caller: administratorSchema, clientId, secretId: z.string().max(2_000) }),
} as const;

/** `POST /internal/api-keys/<operation>` */
export const apiKeyRequestSchemas = {
  list: z.object({ username: name }),
  /** `resourceRoles`: those of the caller; `key`: the body of the caller, checked by auth. */
  create: z.object({ username: name, resourceRoles: z.array(z.string()), key: z.unknown() }),
  owner: z.object({ id: z.string().max(100) }),
  end: z.object({ id: z.string().max(100), by: name, username: name }),
} as const;
export type ApiKeyCreation = z.infer<typeof apiKeyRequestSchemas.create>;

/** `POST /internal/consents/<operation>` */
export const consentRequestSchemas = {
  list: z.object({ username: name }),
  end: z.object({ username: name, clientId, by: name }),
} as const;
export type EndConsentRequest = z.infer<typeof consentRequestSchemas.end>;

/** `POST /internal/see-as/<operation>` */
export const seeAsRequestSchemas = {
  begin: z.object({ username: name, caller: z.object({ username: name, sessionId: z.string().max(100) }) }),
  /** `sessionId`: of the caller. */
  end: z.object({ sessionId: z.string().max(100) }),
} as const;
export type SeeAsRequest = z.infer<typeof seeAsRequestSchemas.begin>;

/** A token for reading what a user sees. */
export interface SeeAsResponse {
  readonly username: string;
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
}

/**
 * `POST /internal/work-sessions/begin`: a JWT of at most a minute with which a service works for a user, who makes no
 * request. 404 if there is no such active user with this name and id.
 */
export const workSessionRequestSchema = z.object({ username: name, userId: z.string() });
/** The name of the client of these sessions. */
export const WORK_CLIENT_ID = 'lintel-work';
export const workSessionResponseSchema = z.object({ jwt: z.string(), expiresAt: z.number() });
