import { z } from 'zod';

/*
 * Bodies of the internal listener of auth for security events: `POST /internal/security-events`. The caller of it
 * decides who may see them.
 */

const moment = z.iso.datetime({ precision: 3 });

export const securityEventsRequestSchema = z.object({
  /** Names without `security.`; absent: all. */
  types: z.array(z.string().max(100)).min(1).max(100).optional(),
  /** Events of this user only. */
  username: z.string().min(1).max(255).optional(),
  clientId: z.string().min(1).max(255).optional(),
  role: z.string().min(1).max(300).optional(),
  /** The first moment. */
  from: moment.optional(),
  /** The first moment that is too late. */
  to: moment.optional(),
  /** Continues after this event. */
  after: z.object({ at: moment, id: z.string().regex(/^\d{1,18}$/) }).optional(),
  limit: z.int().min(1).max(500),
});
export type SecurityEventsRequest = z.infer<typeof securityEventsRequestSchema>;

const securityEventSchema = z.object({
  id: z.string(),
  at: moment,
  type: z.string(),
  /** Name of the user that the event is about. */
  username: z.string().nullable(),
  /** Name of the user who did it, if that is another one. */
  by: z.string().nullable(),
  clientId: z.string().nullable(),
  /** The client, key or session with which the user has done it. */
  byClientId: z.string().nullable(),
  /** Code of a role; of a row-level role after `row_level_role:`. */
  role: z.string().nullable(),
  traceId: z.string().nullable(),
  address: z.string().nullable(),
  provider: z.string().nullable(),
  reason: z.string().nullable(),
  /** Names of attributes that were changed. */
  attributes: z.array(z.string()).nullable(),
  /** How many sessions or requests it was. */
  amount: z.number().nullable(),
  /** 1, or the number of events that were not recorded one by one. */
  count: z.number(),
});
export type StoredSecurityEvent = z.infer<typeof securityEventSchema>;
/** The newest first. */
export const securityEventsResponseSchema = z.object({
  events: z.array(securityEventSchema),
  /** Whether there are older ones. */
  hasMore: z.boolean(),
});
export type SecurityEventsResponse = z.infer<typeof securityEventsResponseSchema>;
