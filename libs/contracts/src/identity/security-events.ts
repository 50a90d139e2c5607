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

export const securityEventSchema = z.object({
  id: z.string(),
  at: moment,
  type: z.string().describe('`login.failed`, …'),
  username: z.string().nullable().describe('Of a user that exists'),
  by: z.string().nullable().describe('The user who did it, if that is another one'),
  clientId: z.string().nullable(),
  byClientId: z.string().nullable().describe('The client, key or session with which the user has done it'),
  role: z.string().nullable().describe('Code of a role; of a row-level role `row_level_role:<code>`'),
  traceId: z.string().nullable(),
  address: z.string().nullable(),
  provider: z.string().nullable(),
  reason: z.string().nullable(),
  attributes: z.array(z.string()).nullable().describe('Names of attributes that were changed'),
  amount: z.int().nullable().describe('How many sessions or requests it was'),
  count: z.int().min(0).describe('1, or the number of events that were not recorded one by one'),
});
export type StoredSecurityEvent = z.infer<typeof securityEventSchema>;
/** The newest first. */
export const securityEventsResponseSchema = z.object({
  events: z.array(securityEventSchema),
  /** Whether there are older ones. */
  hasMore: z.boolean(),
});
export type SecurityEventsResponse = z.infer<typeof securityEventsResponseSchema>;
