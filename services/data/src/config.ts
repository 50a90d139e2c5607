import type { Application } from '@lintel/application';
import {
  availableLocalesSetting,
  backendSettings,
  booleanValue,
  changeFeedsSetting,
  choiceValue,
  datasourceSettings,
  dateTimeOffsetSetting,
  defineSettings,
  durationMsValue,
  fileAccessSetting,
  type InsecureSetting,
  insecureSecret,
  integerValue,
  listenerSettings,
  listValue,
  passwordSettings,
  platformSettings,
  postgresUrlValue,
  resourceListValue,
  restPathSettings,
  type ServiceSafety,
  type SettingsOf,
  safeSettings,
  setting,
  settingMap,
  sizeBytesValue,
  stepUpSettings,
  textValue,
  unknownMembersSetting,
  urlListValue,
  urlValue,
} from '@lintel/config';
import { insecureMail, mailSettings } from '@lintel/mail';
import { requestLimitSettings } from '@lintel/reading';
import { linkSettings } from './operations/link-settings.ts';
import { webhookSettings } from './webhooks/webhook-settings.ts';

const MEBIBYTE = 1024 * 1024;

const shape = defineSettings({
  unknownMembers: unknownMembersSetting,
  dateTimeOffset: dateTimeOffsetSetting,
  stepUp: stepUpSettings,
  platform: platformSettings,
  ...listenerSettings('data', { public: 8082, internal: 9082, management: 9182 }),
  database: {
    ...datasourceSettings('of the owner of the application schemas'),
    poolSize: setting(
      'svc.datasource.pool-size',
      integerValue({ min: 1, max: 500 }).default(10),
      'Greatest number of connections of the data service',
    ),
    statementTimeoutMs: setting(
      'svc.datasource.statement-timeout',
      durationMsValue().default(30_000),
      'Longest statement, and longest time of all reading statements of one request',
    ),
    maxResultMemoryBytes: setting(
      'svc.datasource.max-result-memory',
      sizeBytesValue().default(64 * MEBIBYTE),
      'Greatest size of all results of statements that a process has in memory; one result may have half of it',
    ),
    memory: {
      workBytes: setting(
        'svc.datasource.work-mem',
        sizeBytesValue().default(4 * MEBIBYTE),
        'PostgreSQL `work_mem` of each session; 0 leaves the setting of the server',
      ),
      /** `temp_file_limit` of sessions of a superuser, which only a test installation has; others set it by `ALTER ROLE`. */
      temporaryFileBytes: 4096 * MEBIBYTE,
    },
    readUrls: setting(
      'svc.datasource.read-urls',
      listValue().default([]),
      'PostgreSQL URLs of streaming replicas for reads, each with a pool of `svc.datasource.pool-size`',
      { secret: true },
    ),
    applicationUrl: setting(
      'svc.datasource.application-url',
      postgresUrlValue().optional(),
      'PostgreSQL URL of the tables of the application if they are in another database than the tables of the platform; they are then only read',
      { secret: true },
    ),
    maxReplicaLagMs: setting(
      'svc.datasource.max-replica-lag',
      durationMsValue().default(10_000),
      'A replica that may lack what was committed longer ago is not used; 500 ms to 5 minutes',
    ),
    reportUrl: setting(
      'svc.data.report-datasource-url',
      postgresUrlValue().optional(),
      'PostgreSQL URL of SQL data sets of reports, of a login in the role `lintel_report_reader`; without it SQL data sets are refused',
      { secret: true },
    ),
    reportPasswordFile: setting(
      'svc.data.report-datasource-password-file',
      textValue().optional(),
      'File whose first line is the password of this login; read for each new connection',
    ),
    /** Connections for SQL data sets: as many long statements as a database serves beside its other work. */
    reportPoolSize: 4,
    /** SQL of reports that runs longer is cancelled; a run with several statements must end within its own timeout. */
    reportStatementTimeoutMs: 60_000,
    migrate: setting(
      'svc.datasource.migrate',
      booleanValue().default(true),
      'Whether the service brings the database to the schema of the application when it starts',
    ),
  },
  delegation: setting(
    'svc.security.delegation',
    choiceValue(['bounded', 'unlimited']).default('bounded'),
    'Whether administrators need every right that they give to others; with `unlimited`, callers who may write users, roles or assignments can get every right',
  ),
  paths: restPathSettings,
  availableLocales: availableLocalesSetting,
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
  readOnly: setting(
    'svc.data.read-only',
    booleanValue().default(false),
    'Whether the entities of the application can only be read; writes return 405',
  ),
  jsonTransformationConfig: setting(
    'svc.rest.json-transformation-config',
    resourceListValue().default([]),
    'Resources of the application that describe earlier versions of its model',
  ),
  tokensRequired: setting(
    'svc.core.entity-serialization-token-required',
    booleanValue().default(false),
    'Whether objects carry a `__securityToken` with the ids that row-level policies hide, which updates must bring back',
  ),
  tokenKey: setting(
    'svc.core.entity-serialization-token-encryption-key',
    textValue().optional(),
    'Encrypts security tokens; the same in all data services, required with them',
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
    'Whether responses of create and update follow `responseFetchPlan`',
  ),
  idempotencyRetentionMs: setting(
    'svc.rest.idempotency-retention',
    durationMsValue().default(86_400_000),
    'How long the response of a write with an `Idempotency-Key` is kept for its repeats',
  ),
  retries: {
    /** Maximum number of runs of a write that ends in a deadlock or a serialization failure, then 503: with their delays they last less than a second. */
    attempts: 5,
    /** Longest wait before such a write is run a second time, as long as a short transaction takes; it doubles with every further run. */
    delayMs: 20,
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
  skipsEmptyConditions: setting(
    'svc.core.skip-null-or-empty-conditions-by-default',
    booleanValue().default(false),
    'Whether conditions of searches without a value are left out',
  ),
  maxQueryCost: setting(
    'svc.rest.max-query-cost',
    integerValue({ min: 0 }).default(50_000_000),
    'Greatest cost that the planner of PostgreSQL may expect of a large list or count, in its own unit; 0 is no limit',
  ),
  limits: requestLimitSettings,
  resultBounds: {
    collectionRows: setting(
      'svc.rest.limits.collection-size',
      integerValue({ min: 1, max: 1_000_000 }).default(10_000),
      'Maximum number of members of one collection in an instance of a response; 400 `DATA_RESULT_TOO_LARGE`',
    ),
    /** Size of the JSON of one such collection with its contents, then 400 `DATA_RESULT_TOO_LARGE`; the database builds it in memory. */
    collectionBytes: 16 * MEBIBYTE,
  },
  shares: {
    /** Longest wait of a statement or transaction for its share of the connections: most clients repeat a request after it. */
    maxWaitMs: 10_000,
    /** Statements and transactions that wait for one pool; more could not run within the wait, so they return 503 at once. */
    maxWaiting: 1_000,
    /** Waiting statements of one user, or of one address of anonymous calls, then 429: others keep three quarters. */
    maxWaitingPerUser: 250,
    /** Requests with a body above 16 KB that one process handles at a time, half of them for one user: their values need many times the memory of the text. 64 more wait, 32 of one user. */
    largeBodies: 4,
  },
  webhooks: webhookSettings,
  exchangeUrls: setting(
    'svc.events.broker-urls',
    listValue().default([]),
    'RabbitMQ nodes of the virtual host where applications exchange their events, tried in turn; without it they are published at `svc.broker.urls` alone, and none are received',
    { secret: true },
  ),
  runsJobs: setting(
    'svc.jobs.enabled',
    booleanValue().optional(),
    'Whether the process runs jobs; by default it does when there are any, with `false` other processes do, such as `lintel worker`',
  ),
  mail: mailSettings,
  links: linkSettings,
  /** Number of versions that are kept of each report of the database: months of work on one report. */
  reportVersions: 50,
  fileAccess: fileAccessSetting,
  filesInternalUrl: setting(
    'svc.files.internal-url',
    urlValue().default('http://127.0.0.1:9083'),
    'Internal listener of the files service',
  ),
  reportsUrls: setting(
    'svc.gateway.reports-url',
    urlListValue().default(['http://127.0.0.1:8084']),
    'Addresses of the replicas of the reports service; a host name stands for all its addresses',
  ),
  unreferencedFileAgeMs: setting(
    'svc.files.unreferenced-age',
    durationMsValue()
      .refine((ms) => ms >= 60_000, 'expected at least 1m')
      .describe('a duration of at least 1m')
      .default(86_400_000),
    'Age from which a file counts as unreferenced if nothing refers to it',
  ),
  changes: {
    /** How often a feed sends something: proxies close connections that are silent for a minute. */
    heartbeatMs: 15_000,
    maxConnections: changeFeedsSetting,
    /** Feeds of one user, then 429: more tabs than anybody has open. */
    maxConnectionsPerUser: 20,
  },
  passwords: passwordSettings,
  maxBodyBytes: setting(
    'svc.rest.max-body-size',
    sizeBytesValue().default(MEBIBYTE),
    'Maximum length of the JSON body of a request; above it 413',
  ),
  maxImportBytes: setting(
    'svc.rest.max-import-size',
    sizeBytesValue().default(10 * MEBIBYTE),
    'Maximum length of a file that is imported; above it 413',
  ),
  demoEnabled: setting(
    'svc.demo.enabled',
    booleanValue().default(false),
    'Whether an empty database is filled with the demo data of the application; never in production',
  ),
});

export type DataConfig = SettingsOf<typeof shape>;

/** What is insecure in these settings where others than this machine can reach the service. */
export const safetyOf = (config: DataConfig): ServiceSafety => ({
  hosts: [config.gatewayHost, config.host, config.internalHost],
  insecure: [
    ...insecureSecret('svc.core.entity-serialization-token-encryption-key', config.tokenKey),
    ...insecureSecret('svc.webhooks.encryption-key', config.webhooks.encryptionKey),
    ...insecureMail(config.mail),
    ...insecureChoices(config),
  ],
});

function insecureChoices({ demoEnabled, webhooks }: DataConfig): readonly InsecureSetting[] {
  const demo: InsecureSetting = {
    insecurity: 'demo-data',
    problem: 'svc.demo.enabled: the passwords of the demo users are their names; set it to false',
  };
  const http: InsecureSetting = {
    insecurity: 'webhooks-http',
    problem: 'svc.webhooks.allow-insecure-http: webhooks would carry data in clear text; set it to false',
  };
  return [...(demoEnabled ? [demo] : []), ...(webhooks.enabled && webhooks.allowInsecureHttp ? [http] : [])];
}

/** The settings of the data service (contract/configuration.md#configuration). */
export const settings = safeSettings(shape, safetyOf);

/** With those of the backends that the service needs as a process of its own. */
export const processSettings = defineSettings({ ...settings, backends: backendSettings });

/** Names that the keys of maps are matched with. */
export const mapKeysOf = ({ model }: Pick<Application, 'model'>): Readonly<Record<string, readonly string[]>> => ({
  'svc.rest.entity-max-fetch-size': [...model.entities.keys()],
});
