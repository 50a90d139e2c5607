import { z } from 'zod';
import { actorSchema } from './identity/actor.ts';

/**
 * Events are facts on the bus, in CloudEvents 1.0 JSON form. Type: `owner.subject.fact.vN`; only the
 * owner publishes. A breaking change is a new version in addition to the old one; consumers tolerate unknown fields.
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
  /** Events of applications: the URL of the schema of their data, in the AsyncAPI document. */
  dataschema: z.string().optional(),
  /** W3C trace context of the change. */
  traceparent: z.string().optional(),
  data: z.unknown(),
});
export type Envelope = z.infer<typeof envelopeSchema>;

/** What is known of one version of an event; `docs/reference/events.md` shows it. */
export interface EventDefinition {
  readonly schema: z.ZodType;
  /** Stored with its schema in `libs/contracts/events`, with all former examples. */
  readonly example: unknown;
  /** What its `subject` names; order is kept among the events of one. */
  readonly subject: string;
  /** The fact, as the end of a sentence that begins with "published when". */
  readonly publishedWhen: string;
  /** The services that consume it, except for caches: those declare themselves which events invalidate them. */
  readonly handledBy: Readonly<Record<string, string>>;
  /** Published for programs of operators; no service handles it. */
  readonly isForOperators?: boolean;
  /** Handled by every process that has caches which writers wait for. */
  readonly isForCaches?: boolean;
}

const session = z.looseObject({ sessionId: z.string(), username: z.string() });
const sessionExample = { sessionId: 'A3F0…', username: 'clerk' };
/** What makes entries of caches stale; `by` is the process that waits for the others. */
const outdated = z.looseObject({
  facts: z.array(z.looseObject({ type: z.string(), data: z.unknown() })),
  by: z.string(),
});
const outdatedSubject = 'none';
const outdatedWhen = (what: string): string =>
  `${what} is committed and other processes cache it; the writer responds when they have confirmed it`;
const run = z.looseObject({ runId: z.string() });
const runExample = { runId: '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11' };

const actor = { by: 'admin', byClientId: 'lintel-console', address: '203.0.113.7' };

/** A security event (`docs/security.md`): who and what it was about, never a password, a token or a secret. */
const security = z.looseObject({
  /** `login.failed`, `refresh-token.reused`, … */
  name: z.string(),
  /** 1, or how many events of the name came above the limit of those that are published one by one. */
  count: z.number(),
  /** Name of a user that exists. */
  username: z.string().optional(),
  /** Name of the user who did it, if that is another one. */
  by: z.string().optional(),
  /** Keyed digest of the name that was given. */
  nameDigest: z.string().optional(),
  /** Id of a client that exists. */
  clientId: z.string().optional(),
  /** The client, key or session with which the user has done it. */
  byClientId: z.string().optional(),
  /** Code of a role. */
  role: z.string().optional(),
  traceId: z.string().optional(),
  address: z.string().optional(),
  sessionId: z.string().optional(),
  reason: z.string().optional(),
  /** Name of an identity provider in the configuration. */
  provider: z.string().optional(),
  attributes: z.array(z.string()).optional(),
  /** How many sessions or requests it was. */
  amount: z.number().optional(),
});
const securityExample = {
  name: 'login.failed',
  count: 1,
  username: 'clerk',
  nameDigest: '1mVZ0pUFZPb2',
  clientId: 'shop',
  address: '203.0.113.7',
  reason: 'bad-credentials',
};

/**
 * All events. A published version changes only by additional optional members; any other change is a new version (a
 * test compares each with its stored schema).
 */
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
    subject: '`<entity>/<id>`',
    publishedWhen: 'an instance of any entity is created, updated or deleted, in the transaction of the change',
    handledBy: {},
  },
  'data.user.changed.v1': {
    schema: z.looseObject({
      username: z.string(),
      change: z.enum(['created', 'updated', 'deleted']),
      /** Names of the changed attributes; a new password ends all sessions. */
      attributes: z.array(z.string()).optional(),
      /** After a change that locks or unlocks the user. */
      active: z.boolean().optional(),
      actor: actorSchema.optional(),
    }),
    example: { username: 'clerk', change: 'updated', attributes: ['password'], actor },
    subject: 'user name',
    publishedWhen: 'a user is changed; for both names where the name is',
    handledBy: { auth: 'rewrites or ends the sessions of the user' },
  },
  'data.assignment.changed.v1': {
    schema: z.looseObject({
      username: z.string(),
      /** Code of the role; of a row-level role after `row_level_role:`. */
      role: z.string().optional(),
      change: z.enum(['given', 'taken']).optional(),
      actor: actorSchema.optional(),
    }),
    example: { username: 'clerk', role: 'sales-manager', change: 'given', actor },
    subject: 'user name',
    publishedWhen: 'a role is given to a user or taken away',
    handledBy: { auth: 'rewrites the sessions of the user' },
  },
  'data.roles.changed.v1': {
    schema: z.looseObject({
      /** The roles, with what was added (`+ `) and removed (`- `): codes, child roles, scopes, policies. */
      roles: z.array(z.looseObject({ role: z.string(), change: z.string(), lines: z.array(z.string()) })).optional(),
      actor: actorSchema.optional(),
    }),
    example: {
      roles: [
        { role: 'clerk', change: 'updated', lines: ['+ entity sales_Order read', '- specific reports.sql.edit'] },
      ],
      actor,
    },
    subject: '`roles`',
    publishedWhen: 'a role of the database or a policy of one is changed',
    handledBy: { auth: 'records the change as a security event' },
  },
  'data.messages.changed.v1': {
    schema: z.looseObject({}),
    example: {},
    subject: '`messages`',
    publishedWhen: 'a text of the database is changed',
    handledBy: {},
  },
  'data.reports.changed.v1': {
    schema: z.looseObject({}),
    example: {},
    subject: '`reports`',
    publishedWhen: 'a report, group or template of the database is changed',
    handledBy: {},
  },
  'data.caches.outdated.v1': {
    schema: outdated,
    example: { facts: [{ type: 'data.roles.changed.v1', data: {} }], by: 'data-6b1b36c2' },
    subject: outdatedSubject,
    publishedWhen: outdatedWhen('a change of roles, texts, reports, dynamic attributes, webhooks or cached results'),
    handledBy: {},
    isForCaches: true,
  },
  'auth.session.ended.v1': {
    /** `sessionIds`: where many sessions of the user ended together, up to 500 of them, `sessionId` included. */
    schema: session.extend({ sessionIds: z.array(z.string()).optional() }),
    example: sessionExample,
    subject: 'session id; of many the first one',
    publishedWhen:
      'a session ends: logout, revocation, a user who is locked, removed or has a new password; where more than 20 end together, for up to 500 at once',
    handledBy: { auth: 'ends what the caller of the session sees as another user' },
  },
  'auth.session.changed.v1': {
    schema: session,
    example: sessionExample,
    subject: 'session id',
    publishedWhen: 'a session that goes on has other roles, attributes or another locale',
    handledBy: {},
  },
  'auth.token.revoked.v1': {
    /** SHA-256 of an opaque token, base64url, or `jti` of a JWT: the token itself never travels. */
    schema: z.looseObject({
      tokenHash: z.string(),
      sessionId: z.string(),
      /** Where many tokens ended together, up to 500 of them, `tokenHash` included. */
      tokenHashes: z.array(z.string()).optional(),
    }),
    example: { tokenHash: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg', sessionId: 'A3F0…' },
    subject: 'session id; of many that of the first one',
    publishedWhen:
      'an access token ends before its time: revoked, or superseded by a refresh; where more than 20 end together, for up to 500 at once',
    handledBy: {},
  },
  'auth.keys.rotated.v1': {
    schema: z.looseObject({ kid: z.string() }),
    example: { kid: '2026-11-21' },
    subject: 'key id',
    publishedWhen: 'a signing key is made or withdrawn',
    handledBy: { auth: 'every replica takes the keys over' },
  },
  'auth.client.changed.v1': {
    schema: z.looseObject({ clientId: z.string() }),
    example: { clientId: 'shop' },
    subject: 'client id',
    publishedWhen: 'a client of the database is created, changed or removed',
    handledBy: { auth: 'every replica reads the client again' },
  },
  'auth.caches.outdated.v1': {
    schema: outdated,
    example: { facts: [{ type: 'auth.client.changed.v1', data: { clientId: 'shop' } }], by: 'auth-6b1b36c2' },
    subject: outdatedSubject,
    publishedWhen: outdatedWhen('a change of a client'),
    handledBy: {},
    isForCaches: true,
  },
  'auth.security.recorded.v1': {
    schema: security,
    example: securityExample,
    subject: 'name of the security event',
    publishedWhen:
      'auth records a security event: logins, wrong secrets of clients, blocks, reuse of tokens, ended sessions; lost while the broker is away, the log has it',
    handledBy: {},
    isForOperators: true,
  },
  'reports.run.queued.v1': {
    schema: run,
    example: runExample,
    subject: 'run id',
    publishedWhen: 'a run waits for a worker: a new one, or one whose worker is gone',
    handledBy: { reports: 'one worker carries the run out' },
  },
  'reports.run.cancelled.v1': {
    schema: run,
    example: runExample,
    subject: 'run id',
    publishedWhen: 'the caller cancels a run that has begun',
    handledBy: { reports: 'the worker that has the run ends it' },
  },
  'reports.run.ended.v1': {
    schema: z.looseObject({
      runId: z.string(),
      sessionId: z.string(),
      reportName: z.string(),
      status: z.enum(['SUCCEEDED', 'FAILED']),
    }),
    example: { ...runExample, sessionId: 'A3F0…', reportName: 'Turnover', status: 'SUCCEEDED' },
    subject: 'run id',
    publishedWhen: 'a worker ends a run; lost while the broker is away, the list of runs has it',
    handledBy: { data: 'the user of the run gets a notification' },
  },
} as const satisfies Record<string, EventDefinition>;

export type EventType = keyof typeof EVENTS;
export type EventData<T extends EventType> = z.infer<(typeof EVENTS)[T]['schema']>;

/** The owner in an event's type: `data.entity.changed.v1` → `data`. */
export const ownerOf = (type: string): string => type.slice(0, type.indexOf('.'));
