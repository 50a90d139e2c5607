import { z } from 'zod';

/**
 * Events are facts on the bus, in CloudEvents 1.0 JSON form. Type: `owner.subject.fact.vN`; only the
 * owner publishes. A breaking change is a new version beside the old; consumers tolerate unknown fields.
 */
export const envelopeSchema = z.looseObject({
  specversion: z.literal('1.0'),
  id: z.string(),
  /** `/lintel/<owner>` */
  source: z.string(),
  type: z.string(),
  /** What the event is about: `<entity>/<id>`, a user name, a session id. Order is kept per subject. */
  subject: z.string().optional(),
  time: z.iso.datetime(),
  datacontenttype: z.literal('application/json'),
  /** W3C trace context of the change. */
  traceparent: z.string().optional(),
  data: z.unknown(),
});
export type Envelope = z.infer<typeof envelopeSchema>;

/** Schema and stored example of each event's `data`. */
export const EVENTS = {
  'data.entity.changed.v1': {
    schema: z.looseObject({
      entity: z.string(),
      id: z.unknown(),
      change: z.enum(['created', 'updated', 'deleted']),
      /** Names of the changed attributes; values never travel. */
      attributes: z.array(z.string()),
      by: z.string(),
    }),
    example: {
      entity: 'sales_Order',
      id: '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11',
      change: 'updated',
      attributes: ['status', 'version'],
      by: 'clerk',
    },
  },
  'data.user.changed.v1': {
    schema: z.looseObject({
      username: z.string(),
      change: z.enum(['created', 'updated', 'deleted']),
      /** Names of the changed attributes; a new password ends all sessions. */
      attributes: z.array(z.string()).optional(),
    }),
    example: { username: 'clerk', change: 'updated', attributes: ['password'] },
  },
  'data.assignment.changed.v1': {
    schema: z.looseObject({ username: z.string() }),
    example: { username: 'clerk' },
  },
  'data.roles.changed.v1': { schema: z.looseObject({}), example: {} },
  'data.messages.changed.v1': { schema: z.looseObject({}), example: {} },
  'data.reports.changed.v1': { schema: z.looseObject({}), example: {} },
  'auth.session.ended.v1': {
    schema: z.looseObject({ sessionId: z.string(), username: z.string() }),
    example: { sessionId: 'A3F0…', username: 'clerk' },
  },
  'auth.session.changed.v1': {
    schema: z.looseObject({ sessionId: z.string(), username: z.string() }),
    example: { sessionId: 'A3F0…', username: 'clerk' },
  },
  'auth.token.revoked.v1': {
    /** SHA-256 of an opaque token, base64url, or `jti` of a JWT: the token itself never travels. */
    schema: z.looseObject({ tokenHash: z.string(), sessionId: z.string() }),
    example: { tokenHash: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg', sessionId: 'A3F0…' },
  },
  'reports.run.queued.v1': {
    schema: z.looseObject({ runId: z.string() }),
    example: { runId: '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11' },
  },
  'reports.run.cancelled.v1': {
    schema: z.looseObject({ runId: z.string() }),
    example: { runId: '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11' },
  },
  'auth.keys.rotated.v1': {
    schema: z.looseObject({ kid: z.string() }),
    example: { kid: '2026-11-21' },
  },
} as const satisfies Record<string, { schema: z.ZodType; example: unknown }>;

export type EventType = keyof typeof EVENTS;
export type EventData<T extends EventType> = z.infer<(typeof EVENTS)[T]['schema']>;

/** The owner in an event's type: `data.entity.changed.v1` → `data`. */
export const ownerOf = (type: string): string => type.slice(0, type.indexOf('.'));
