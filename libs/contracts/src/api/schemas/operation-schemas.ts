import { z } from 'zod';
import {
  identityProviderSchema,
  providerAddressSchema,
  providerProblemSchema,
  providerSettingSchema,
  testProviderResponseSchema,
} from '../../identity/identity-providers.ts';
import { securityEventSchema } from '../../identity/security-events.ts';
import {
  processCheckSchema,
  processReportSchema,
  processSettingSchema,
  slowStatementSchema,
} from '../../process-report.ts';
import { BOOLEAN, COUNT, listOf, objectOf, ref, type Schema, STRING } from '../route-description.ts';
import { schemasOf } from './schemas-of.ts';

const MOMENT: Schema = { type: 'string', format: 'date-time' };
const NULLABLE_TEXT: Schema = { type: ['string', 'null'] };
const WITH_BROKER: Schema = { type: ['integer', 'null'], description: 'Null while the message broker is away' };

/** The schemas of what operators see (contract/operations.md). */
export const operationSchemas = (): Readonly<Record<string, Schema>> => ({
  UnreferencedFiles: objectOf({
    files: listOf(
      objectOf({ fileRef: STRING, name: STRING, size: { ...COUNT, description: 'Bytes' }, lastModified: MOMENT }),
    ),
    cursor: { ...NULLABLE_TEXT, description: 'Of the next part; null after the last one' },
  }),
  FileRemovalRequest: objectOf({
    fileRefs: {
      type: 'array',
      items: { type: 'string', maxLength: 4_000, pattern: '^[A-Za-z][A-Za-z0-9+.-]*://[^?#\\x00]+\\?[^\\x00]+$' },
      minItems: 1,
      maxItems: 100,
      description: 'Each file once',
    },
  }),
  FileRemoval: objectOf({
    fileRef: STRING,
    result: {
      enum: ['removed', 'referenced', 'recent', 'unknown'],
      description: '`recent`: not old enough; `unknown`: no file, or one of a service',
    },
  }),
  ...schemasOf({
    Process: processReportSchema,
    ProcessCheck: processCheckSchema,
    ProcessSetting: processSettingSchema,
    SlowStatement: z.object({ process: z.string().describe('The id of the process'), ...slowStatementSchema.shape }),
    SecurityEvent: securityEventSchema,
    IdentityProvider: identityProviderSchema,
    IdentityProviderSetting: providerSettingSchema,
    IdentityProviderAddress: providerAddressSchema,
    IdentityProviderTest: testProviderResponseSchema,
    IdentityProviderProblem: providerProblemSchema,
  }),
  Queues: objectOf({
    queues: listOf(ref('QueueState')),
    outbox: ref('Backlog'),
    deliveries: ref('Backlog'),
  }),
  OperationTasks: objectOf({ failedRuns: COUNT, deadLetters: WITH_BROKER, waitingReports: WITH_BROKER }, []),
  ShownMail: objectOf({
    id: STRING,
    sentAt: MOMENT,
    to: STRING,
    subject: STRING,
    text: STRING,
    html: NULLABLE_TEXT,
    unsubscribe: NULLABLE_TEXT,
    attachments: listOf(objectOf({ name: STRING, size: { ...COUNT, description: 'Bytes' } })),
  }),
  ServiceRun: objectOf(
    {
      id: STRING,
      service: STRING,
      method: STRING,
      status: { type: 'string', enum: ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] },
      createdAt: MOMENT,
      startedAt: MOMENT,
      finishedAt: MOMENT,
      progress: {
        description: 'What the method has recorded',
        ...objectOf({ done: { type: 'number' }, of: { type: 'number' }, text: STRING }, ['done', 'of']),
      },
      error: {
        description:
          'Of a run that failed: the response that a waiting client would have received, of an import with its report',
        ...objectOf({ status: { type: 'integer' }, error: STRING, details: STRING }),
      },
      result: { description: 'Of a run that succeeded: the result of the method; absent if it has none' },
    },
    ['id', 'service', 'method', 'status', 'createdAt'],
  ),
  Job: objectOf({
    name: STRING,
    schedule: { ...NULLABLE_TEXT, description: 'Cron expression; null without a schedule' },
    timeZone: NULLABLE_TEXT,
    next: { type: ['string', 'null'], format: 'date-time' },
    paused: BOOLEAN,
  }),
  EventHandler: objectOf({
    name: STRING,
    on: { ...STRING, description: 'Type of an event, or name of an entity' },
    paused: BOOLEAN,
    waiting: { ...COUNT, description: 'Events that it has yet to handle' },
    deadLetters: COUNT,
  }),
  EventHandlerChange: {
    ...objectOf({ paused: BOOLEAN, replayFrom: { ...MOMENT, description: 'Handles the events since then again' } }, []),
    additionalProperties: false,
  },
  QueuedJobRun: objectOf({ id: STRING }),
  JobRuns: objectOf({
    runs: listOf(ref('JobRun')),
    next: { ...NULLABLE_TEXT, description: 'Of the next page; null after the last one' },
  }),
  JobRun: objectOf({
    id: STRING,
    job: STRING,
    state: { enum: ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'] },
    attempts: { ...COUNT, description: 'Attempts that have begun' },
    priority: { type: 'integer' },
    queuedAt: MOMENT,
    runAt: { ...MOMENT, description: 'It starts not before' },
    startedAt: { type: ['string', 'null'], format: 'date-time' },
    endedAt: { type: ['string', 'null'], format: 'date-time' },
    error: { ...NULLABLE_TEXT, description: 'The kind of error of the last attempt that failed' },
    progress: {
      type: ['object', 'null'],
      properties: { done: { type: 'number' }, of: { type: 'number' }, text: STRING },
      required: ['done', 'of'],
    },
  }),
  OperationLinks: objectOf({
    dashboards: NULLABLE_TEXT,
    traces: { ...NULLABLE_TEXT, description: 'With `{traceId}` for the id of a trace' },
  }),
  QueueState: objectOf({ name: STRING, events: COUNT, consumers: COUNT }),
  Backlog: objectOf({
    count: COUNT,
    oldestSeconds: { type: 'number', format: 'double', minimum: 0, description: 'How long the oldest one waits' },
  }),
  SecurityEvents: objectOf({
    events: listOf(ref('SecurityEvent')),
    next: { ...NULLABLE_TEXT, description: 'For `after` of the next page; null at the end' },
  }),
  DeadLetters: objectOf({ total: COUNT, letters: listOf(ref('DeadLetter')) }),
  DeadLetter: objectOf({
    key: { ...STRING, description: 'Names the letter in requests' },
    service: STRING,
    id: { ...NULLABLE_TEXT, description: 'Of the event' },
    type: { ...NULLABLE_TEXT, description: 'Null if the message is no event' },
    subject: NULLABLE_TEXT,
    queue: { ...NULLABLE_TEXT, description: 'From which the event was refused' },
    reason: NULLABLE_TEXT,
    time: { type: ['string', 'null'], format: 'date-time' },
  }),
  DeadLetterContent: {
    allOf: [ref('DeadLetter'), objectOf({ content: { ...STRING, description: 'At most 64 KiB' }, truncated: BOOLEAN })],
  },
  SchemaState: objectOf({
    fits: BOOLEAN,
    migrations: listOf(ref('MigrationState')),
    findings: listOf(ref('DriftFinding')),
  }),
  MigrationState: objectOf({ name: STRING, state: { enum: ['executed', 'pending', 'changed', 'unknown'] } }),
  DriftFinding: objectOf(
    {
      kind: { enum: ['missing', 'extra', 'different'] },
      severity: { enum: ['problem', 'notice'] },
      object: STRING,
      table: STRING,
      name: STRING,
      aspect: STRING,
      expected: STRING,
      actual: STRING,
    },
    ['kind', 'severity', 'object', 'table'],
  ),
  WebhookTest: objectOf({
    accepted: BOOLEAN,
    status: { type: ['integer', 'null'] },
    error: NULLABLE_TEXT,
    durationMs: COUNT,
  }),
  Captions: objectOf({
    locale: STRING,
    locales: { ...listOf(STRING), description: '`svc.core.available-locales`' },
    captions: listOf(ref('Caption')),
  }),
  Caption: objectOf({
    target: { ...STRING, description: '`<entity>`, `<entity>.<attribute>`, `<enum>` or `<enum>.<constant>`' },
    key: { ...STRING, description: 'Of the message' },
    text: { ...NULLABLE_TEXT, description: 'Null if the locale has no text of its own' },
    source: { enum: ['platform', 'application', 'database', null] },
    shown: { ...STRING, description: 'What users of the locale see' },
  }),
});
