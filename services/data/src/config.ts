import {
  booleanValue,
  defineSettings,
  durationMsValue,
  integerValue,
  listValue,
  managementSettings,
  platformSettings,
  portValue,
  resourceListValue,
  restPathSettings,
  type SettingsOf,
  setting,
  settingMap,
  sizeBytesValue,
  slowQuerySettings,
  textValue,
} from '@lintel/config';
import { webhookSettings } from './webhooks/webhook-settings.ts';

const MEBIBYTE = 1024 * 1024;

/** The settings of the data service (contract-entities-queries-services.md §7.8). */
export const settings = defineSettings({
  platform: platformSettings,
  host: setting('svc.data.host', textValue().default('127.0.0.1'), 'Address the data service listens on'),
  port: setting('svc.data.port', portValue().default(8082), 'Port of the data service'),
  internalHost: setting(
    'svc.data.internal-host',
    textValue().default('127.0.0.1'),
    'Address of the internal listener, which the gateway never routes to',
  ),
  internalPort: setting('svc.data.internal-port', portValue().default(9082), 'Port of the internal listener'),
  management: managementSettings('data', 9182),
  slowQueries: slowQuerySettings,
  database: {
    url: setting('svc.datasource.url', textValue(), 'PostgreSQL URL of the owner of the application schemas', {
      secret: true,
    }),
    poolSize: setting(
      'svc.datasource.pool-size',
      integerValue({ min: 1, max: 500 }).default(10),
      'Greatest number of connections of the data service',
    ),
    statementTimeoutMs: setting(
      'svc.datasource.statement-timeout',
      durationMsValue().default(30_000),
      'Statements that run longer are cancelled',
    ),
    readUrls: setting(
      'svc.datasource.read-urls',
      listValue().default([]),
      'PostgreSQL URLs of streaming replicas, which answer reads of sessions that they have replayed the writes of; each has a pool of its own of `svc.datasource.pool-size`',
      { secret: true },
    ),
    maxReplicaLagMs: setting(
      'svc.datasource.max-replica-lag',
      durationMsValue().default(10_000),
      'A replica that may lack what was committed longer ago is not read from; 500 ms to 5 minutes, the same in all data services',
    ),
    reportUrl: setting(
      'svc.data.report-datasource-url',
      textValue().optional(),
      'PostgreSQL URL that SQL data sets of reports are run with; of a login in the role `lintel_report_reader`, which may read the tables of the application and nothing else. Without it SQL data sets are refused',
      { secret: true },
    ),
    reportPoolSize: setting(
      'svc.data.report-datasource-pool-size',
      integerValue({ min: 1, max: 100 }).default(4),
      'Greatest number of connections for SQL data sets',
    ),
    reportStatementTimeoutMs: setting(
      'svc.data.report-statement-timeout',
      durationMsValue().default(60_000),
      'SQL of reports that runs longer is cancelled',
    ),
    migrate: setting(
      'svc.datasource.migrate',
      booleanValue().default(true),
      'Whether the service brings the database to the schema of the application when it starts',
    ),
  },
  paths: restPathSettings,
  availableLocales: setting(
    'svc.core.available-locales',
    listValue().default(['en']),
    'Locales of the application in underscore form; the first one is the default',
  ),
  fetchPlansConfig: setting(
    'svc.core.fetch-plans-config',
    resourceListValue().default([]),
    'Resources of the application that define named fetch plans',
  ),
  servicesConfig: setting(
    'svc.rest.services-config',
    resourceListValue().default([]),
    'Resources of the application that expose functions of its service components',
  ),
  queriesConfig: setting(
    'svc.rest.queries-config',
    resourceListValue().default([]),
    'Resources of the application that define predefined queries',
  ),
  jsonTransformationConfig: setting(
    'svc.rest.json-transformation-config',
    resourceListValue().default([]),
    'Resources of the application that describe earlier versions of its model, for clients that send `modelVersion`',
  ),
  tokensRequired: setting(
    'svc.core.entity-serialization-token-required',
    booleanValue().default(false),
    'Whether objects carry a `__securityToken` with the ids that row-level policies hide, which updates must bring back',
  ),
  tokenKey: setting(
    'svc.core.entity-serialization-token-encryption-key',
    textValue().optional(),
    'Secret that security tokens are encrypted with; the same in all data services, needed where they are required',
    { secret: true },
  ),
  optimisticLockingEnabled: setting(
    'svc.rest.optimistic-locking-enabled',
    booleanValue().default(false),
    'Whether a `version` in the body of an update is compared with the stored one',
  ),
  responseFetchPlanEnabled: setting(
    'svc.rest.response-fetch-plan-enabled',
    booleanValue().default(true),
    'Whether answers of create and update follow `responseFetchPlan`',
  ),
  idempotencyRetentionMs: setting(
    'svc.rest.idempotency-retention',
    durationMsValue().default(86_400_000),
    'How long the answer of a write with an `Idempotency-Key` is kept for its repeats',
  ),
  idempotencyPruneIntervalMs: setting(
    'svc.rest.idempotency-prune-interval',
    durationMsValue().default(300_000),
    'How often each data service removes kept answers that are too old',
  ),
  retries: {
    attempts: setting(
      'svc.rest.write-attempts',
      integerValue({ min: 1, max: 100 }).default(5),
      'How often a write is run at most that ends in a deadlock or a serialization failure; then 503',
    ),
    delayMs: setting(
      'svc.rest.write-retry-delay',
      durationMsValue().default(20),
      'Longest wait before such a write is run a second time; it doubles with every further run',
    ),
  },
  inlineFetchPlanEnabled: setting(
    'svc.rest.inline-fetch-plan-enabled',
    booleanValue().default(true),
    'Whether requests may bring fetch plans of their own',
  ),
  defaultMaxFetchSize: setting(
    'svc.rest.default-max-fetch-size',
    integerValue({ min: 1 }).default(10_000),
    'Greatest `limit`, and the one that holds where none is given',
  ),
  entityMaxFetchSize: settingMap(
    'svc.rest.entity-max-fetch-size',
    integerValue({ min: 1 }),
    'The same for one entity: `svc.rest.entity-max-fetch-size.<entity>`',
  ),
  negationsFindNull: setting(
    'svc.data.include-null-clause-in-not-conditions',
    booleanValue().default(false),
    'Whether `<>`, `notIn` and `doesNotContain` in filters find rows without a value, too',
  ),
  cursorSecret: setting(
    'svc.rest.cursor-secret',
    textValue().optional(),
    'Secret that the cursors of pages are encrypted with; the same in all data services, one of its own is made from `svc.internal.secret` where it is absent',
    { secret: true },
  ),
  serverTimingEnabled: setting(
    'svc.rest.server-timing-enabled',
    booleanValue().default(true),
    'Whether answers carry `Server-Timing` when the request prefers it',
  ),
  webhooks: webhookSettings,
  changes: {
    heartbeatMs: setting(
      'svc.changes.heartbeat',
      durationMsValue()
        .refine((ms) => ms >= 100 && ms <= 60_000, 'expected 100ms to 60s')
        .describe('a duration from 100ms to 60s')
        .default(15_000),
      'How often a feed of changes sends something at least, and looks whether its session goes on',
    ),
    maxConnections: setting(
      'svc.changes.max-connections',
      integerValue({ min: 0 }).default(1_000),
      'Feeds of changes that one data service serves at a time; then 503',
    ),
    maxConnectionsPerUser: setting(
      'svc.changes.max-connections-per-user',
      integerValue({ min: 1 }).default(20),
      'The same for one user; then 429',
    ),
  },
  maxBodyBytes: setting(
    'svc.rest.max-body-size',
    sizeBytesValue().default(16 * MEBIBYTE),
    'Greatest JSON body of a request',
  ),
  demoEnabled: setting(
    'svc.demo.enabled',
    booleanValue().default(false),
    'Whether an empty database is filled with the demo data of the application; never in production',
  ),
});

export type DataConfig = SettingsOf<typeof settings>;
