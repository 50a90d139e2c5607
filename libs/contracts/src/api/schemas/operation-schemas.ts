import { PROVIDER_PROBLEMS } from '../../identity/identity-providers.ts';
import { BOOLEAN, COUNT, listOf, objectOf, ref, type Schema, STRING } from '../route-description.ts';

const MOMENT: Schema = { type: 'string', format: 'date-time' };
const NULLABLE_TEXT: Schema = { type: ['string', 'null'] };

/** The schemas of what operators see (contract/operations.md). */
export const OPERATION_SCHEMAS: Readonly<Record<string, Schema>> = {
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
  Process: objectOf({
    id: STRING,
    service: { ...STRING, description: '`standalone` for all services in one process' },
    host: STRING,
    processId: { type: 'integer' },
    nodeVersion: STRING,
    startedAt: MOMENT,
    reportedAt: MOMENT,
    status: { enum: ['ready', 'degraded', 'not ready'] },
    checks: { type: 'object', additionalProperties: ref('ProcessCheck') },
    memoryBytes: COUNT,
  }),
  ProcessCheck: {
    ...objectOf({ status: { enum: ['up', 'degraded', 'down'] }, reason: STRING }),
    required: ['status'],
  },
  ProcessSetting: objectOf({
    name: STRING,
    value: { ...NULLABLE_TEXT, description: 'With secrets masked; null if there is no value' },
    secret: BOOLEAN,
    origin: { ...STRING, description: '`default`, `environment: SVC_DATA_PORT`, `/etc/lintel.yml:12`, `application`' },
  }),
  SlowStatement: objectOf({
    process: { ...STRING, description: 'The id of the process' },
    pool: STRING,
    statement: { ...NULLABLE_TEXT, description: 'Its name' },
    text: { ...STRING, description: 'With `$1` for values' },
    count: COUNT,
    lastAt: MOMENT,
    lastMs: COUNT,
    maxMs: COUNT,
    traceId: NULLABLE_TEXT,
    plan: { ...NULLABLE_TEXT, description: 'The generic plan, if `svc.datasource.slow-query-plan` is set' },
  }),
  Queues: objectOf({
    queues: listOf(ref('QueueState')),
    outbox: ref('Backlog'),
    deliveries: ref('Backlog'),
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
  SecurityEvent: objectOf({
    id: STRING,
    at: MOMENT,
    type: { ...STRING, description: '`login.failed`, …' },
    username: { ...NULLABLE_TEXT, description: 'Of a user that exists' },
    by: { ...NULLABLE_TEXT, description: 'The user who did it, if that is another one' },
    clientId: NULLABLE_TEXT,
    byClientId: { ...NULLABLE_TEXT, description: 'The client, key or session with which the user has done it' },
    role: { ...NULLABLE_TEXT, description: 'Code of a role; of a row-level role `row_level_role:<code>`' },
    traceId: NULLABLE_TEXT,
    address: NULLABLE_TEXT,
    provider: NULLABLE_TEXT,
    reason: NULLABLE_TEXT,
    attributes: { type: ['array', 'null'], items: STRING, description: 'Names of attributes that were changed' },
    amount: { type: ['integer', 'null'], description: 'How many sessions or requests it was' },
    count: { ...COUNT, description: '1, or the number of events that were not recorded one by one' },
  }),
  IdentityProvider: objectOf({
    name: { ...STRING, description: 'In the configuration' },
    kind: { enum: ['openid', 'saml', 'ldap', 'token-issuer'] },
    title: { ...NULLABLE_TEXT, description: 'On the button of the login page; null without one' },
    settings: listOf(ref('IdentityProviderSetting')),
    addresses: {
      ...listOf(ref('IdentityProviderAddress')),
      description: 'Of this server, which the provider must know',
    },
  }),
  IdentityProviderSetting: objectOf({ name: STRING, value: { ...STRING, description: 'Secrets are masked' } }),
  IdentityProviderAddress: objectOf({ kind: { enum: ['callback', 'logout', 'acs', 'metadata'] }, url: STRING }),
  IdentityProviderTest: objectOf({
    successful: BOOLEAN,
    durationMs: COUNT,
    problems: listOf(ref('IdentityProviderProblem')),
  }),
  IdentityProviderProblem: objectOf({ code: { enum: [...PROVIDER_PROBLEMS] }, message: STRING }),
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
};
