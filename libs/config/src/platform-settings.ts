import { defineSettings } from './declaring/define-settings.ts';
import { setting } from './declaring/setting.ts';
import {
  booleanValue,
  choiceListValue,
  choiceValue,
  durationMsValue,
  integerValue,
  listValue,
  pathValue,
  textValue,
  urlListValue,
  urlValue,
} from './declaring/values.ts';
import { redisSettings } from './redis/redis-settings.ts';
import { INSECURITIES } from './safety/insecurities.ts';

/** The value of `svc.rest.explorer-client` without a client. */
const NO_EXPLORER_CLIENT = 'none';

interface ExplorerSettings {
  readonly explorerClient: string | undefined;
  readonly consoleEnabled: boolean;
}

/** The id of the public client of the explorer; undefined without one. The console leads to the explorer. */
export function explorerClientOf({ explorerClient, consoleEnabled }: ExplorerSettings): string | undefined {
  const id = explorerClient ?? (consoleEnabled ? 'explorer' : NO_EXPLORER_CLIENT);
  return id === NO_EXPLORER_CLIENT ? undefined : id;
}

/** Where the gateway serves the console. */
export const CONSOLE_PATH = '/console';
/** Id of the public client with which users log in to the console. */
export const CONSOLE_CLIENT = 'lintel-console';

/** Settings that several services share; a service's own shape includes those it needs. */
export const platformSettings = defineSettings({
  application: setting(
    'svc.application',
    textValue().default('@lintel/example-sales'),
    'Module of the application: a path or a package whose default export is `defineApplication(…)`',
  ),
  configFile: setting(
    'svc.config-file',
    listValue().default([]),
    'Properties and YAML files (`.yml`, `.yaml`), read before the environment; later files win',
  ),
  secretsFolder: setting(
    'svc.secrets-folder',
    listValue().default([]),
    'Folders with a file for each property, named as the property or its variable; they win over the files above',
  ),
  logLevel: setting(
    'svc.log.level',
    choiceValue(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    'Least severe log lines that are written; security events always are',
  ),
  issuer: setting(
    'svc.authserver.issuer',
    urlValue().default('http://localhost:8080'),
    'Issuer of tokens: the public address of the gateway',
  ),
  jwksUrl: setting(
    'svc.authserver.jwks-url',
    urlValue().default('http://127.0.0.1:8081/oauth2/jwks'),
    'Where services and the gateway fetch the signing keys',
  ),
  authInternalUrls: setting(
    'svc.authserver.internal-url',
    urlListValue().default(['http://127.0.0.1:9081']),
    'Internal listeners of the replicas of the auth service',
  ),
  internalSecret: setting(
    'svc.internal.secret',
    textValue(),
    'Shared secret of the calls between services; the same everywhere',
    { secret: true },
  ),
  apiScope: setting(
    'svc.authserver.scope',
    textValue().default('rest-api'),
    'Scope that a token needs at the API, and gets if its client has no scopes',
  ),
  securityProfile: setting(
    'svc.security.profile',
    choiceValue(['compatible', 'hardened']).default('compatible'),
    '`hardened` switches off what older clients need, such as the password grant; see `docs/security.md`',
  ),
  isProduction: setting(
    'svc.security.production',
    booleanValue().default(false),
    'Whether published secrets and demo users are refused at every address; `true` by default with `NODE_ENV=production`',
  ),
  allowInsecure: setting(
    'svc.security.allow-insecure',
    choiceListValue(INSECURITIES).default([]),
    'Insecure settings that are accepted and logged at each start; see `docs/security.md`',
  ),
  anonymousUrlPatterns: setting(
    'svc.rest.anonymous-url-patterns',
    listValue().default([]),
    'URL patterns (`?`, `*`, `**`) that need no token, in addition to the patterns of the application',
    { joinsApplication: true },
  ),
  authenticatedUrlPatterns: setting(
    'svc.rest.authenticated-url-patterns',
    listValue().default([]),
    'URL patterns of controllers that need a token and `rest-minimal`, as the REST API does',
    { joinsApplication: true },
  ),
  resourceServerAnonymousUrlPatterns: setting(
    'svc.resource-server.anonymous-url-patterns',
    listValue().default([]),
    'Same as `svc.rest.anonymous-url-patterns`; the lists are joined',
    { joinsApplication: true },
  ),
  resourceServerAuthenticatedUrlPatterns: setting(
    'svc.resource-server.authenticated-url-patterns',
    listValue().default([]),
    'Same as `svc.rest.authenticated-url-patterns`; the lists are joined',
    { joinsApplication: true },
  ),
  explorerClient: setting(
    'svc.rest.explorer-client',
    textValue()
      .refine((text) => /^[\w.-]{1,100}$/.test(text), 'expected letters, digits, _, - and .')
      .optional(),
    'Id of the public client with which users log in to the explorer; by default `explorer` with `svc.console.enabled`, otherwise `none`',
  ),
  consoleEnabled: setting(
    'svc.console.enabled',
    booleanValue().default(false),
    'Whether the gateway serves the console at `/console`; in one process the default is `true`',
  ),
  shutdown: {
    delayMs: setting(
      'svc.shutdown.delay',
      durationMsValue().default(5_000),
      'How long a stopping service still accepts requests, while it reports that it is not ready',
    ),
    drainMs: setting(
      'svc.shutdown.timeout',
      durationMsValue().default(15_000),
      'How long requests in flight may take after that; then they are cut',
    ),
  },
  cacheMaxStaleness: setting(
    'svc.cache.max-staleness',
    durationMsValue().default(60_000),
    'Longest life of a cached security fact',
  ),
  telemetryEndpoint: setting(
    'svc.telemetry.endpoint',
    urlValue().optional(),
    'OTLP collector; read by `@lintel/telemetry/register` from `SVC_TELEMETRY_ENDPOINT`',
  ),
});

/** For the services that create localized texts for a caller. */
export const availableLocalesSetting = setting(
  'svc.core.available-locales',
  listValue().default(['en']),
  'Locales of the application in underscore form; the first one is the default',
);

/** For the services that clients send parameters and bodies to. */
export const unknownMembersSetting = setting(
  'svc.rest.unknown-members',
  choiceValue(['ignore', 'name', 'refuse']).default('name'),
  'What happens to unknown parameters and members of bodies: ignored, named in the header `X-Ignored`, or refused with 400',
);

/** For the services that read times in parameters and bodies. */
export const dateTimeOffsetSetting = setting(
  'svc.rest.date-time-offset',
  choiceValue(['ignore', 'convert', 'refuse']).optional(),
  'What happens to the offset of a `dateTime` in requests: ignored and named in `X-Ignored`, converted to UTC (the default in the profile hardened), or refused with 400',
);

/** The rule, with the default of the profile. */
export const dateTimeOffsetOf = (config: {
  readonly dateTimeOffset: 'ignore' | 'convert' | 'refuse' | undefined;
  readonly platform: { readonly securityProfile: 'compatible' | 'hardened' };
}): 'ignore' | 'convert' | 'refuse' =>
  config.dateTimeOffset ?? (config.platform.securityProfile === 'hardened' ? 'convert' : 'ignore');

/** For the data service, and for the gateway, which has as many connections to each replica for feeds. */
export const changeFeedsSetting = setting(
  'svc.changes.max-connections',
  integerValue({ min: 1, max: 65_535 }).default(1_000),
  'Feeds of changes that one data service serves at a time; then 503',
);

/** For the gateway, which passes tokens of this issuer to auth, and for auth, which verifies them. */
export const resourceServerIssuerSetting = setting(
  'svc.resource-server.issuer',
  textValue().optional(),
  'Issuer whose access tokens are accepted directly: exactly the `iss` of its JWTs',
);

/** Paths of the REST API. The prefix of the reports API, `/rest/reports`, is fixed. */
export const restPathSettings = defineSettings({
  basePath: setting('svc.rest.base-path', pathValue().default('/rest'), 'Path prefix of the REST API'),
  entitiesPath: setting(
    'svc.rest.entities-path',
    pathValue().default('/entities'),
    'Path of the entities API below the prefix',
  ),
  changesPath: setting(
    'svc.rest.changes-path',
    pathValue().default('/changes'),
    'Path of the feeds of changes below the prefix',
  ),
  docsPath: setting('svc.rest.docs-path', pathValue().default('/docs'), 'Path of the API documents below the prefix'),
  metadataPath: setting(
    'svc.rest.metadata-path',
    pathValue().default('/metadata'),
    'Path of the metadata API below the prefix',
  ),
  filesPath: setting('svc.rest.files-path', pathValue().default('/files'), 'Path of the files API below the prefix'),
  messagesPath: setting(
    'svc.rest.messages-path',
    pathValue().default('/messages'),
    'Path of the messages API below the prefix',
  ),
  permissionsPath: setting(
    'svc.rest.permissions-path',
    pathValue().default('/permissions'),
    'Path of the permissions of the caller below the prefix',
  ),
  queriesPath: setting(
    'svc.rest.queries-path',
    pathValue().default('/queries'),
    'Path of the predefined queries below the prefix',
  ),
  servicesPath: setting(
    'svc.rest.services-path',
    pathValue().default('/services'),
    'Path of the service methods below the prefix',
  ),
  userInfoPath: setting(
    'svc.rest.user-info-path',
    pathValue().default('/userInfo'),
    'Path of the user info below the prefix',
  ),
  userSessionPath: setting(
    'svc.rest.user-session-path',
    pathValue().default('/user-session'),
    'Path of the user session below the prefix',
  ),
  apiKeysPath: setting(
    'svc.rest.api-keys-path',
    pathValue().default('/api-keys'),
    'Path of the API keys of users below the prefix',
  ),
  clientsPath: setting(
    'svc.rest.clients-path',
    pathValue().default('/clients'),
    'Path of the administration of OAuth clients below the prefix',
  ),
  operationsPath: setting(
    'svc.rest.operations-path',
    pathValue().default('/operations'),
    'Path of the state of processes, queues and dead letters below the prefix',
  ),
  rightsPath: setting(
    'svc.rest.rights-path',
    pathValue().default('/rights'),
    'Path of roles and of the rights of users below the prefix',
  ),
  ticketsPath: setting(
    'svc.rest.tickets-path',
    pathValue().default('/tickets'),
    'Path of one-time tickets below the prefix',
  ),
  capabilitiesPath: setting(
    'svc.rest.capabilities-path',
    pathValue().default('/capabilities'),
    'Path of the capabilities below the prefix',
  ),
});

/** Backends of the five processes, which `processSettings` of a service adds; standalone mode brings its own. */
export const backendSettings = defineSettings({
  brokerUrls: setting(
    'svc.broker.urls',
    listValue(),
    'RabbitMQ nodes, tried in turn: `amqp://user:password@host:5672/vhost`',
    { secret: true },
  ),
  /** Its address is returned by `redisAddressOf`. */
  redis: redisSettings('required'),
});

/** For the services that read and write file references. */
export const fileAccessSetting = setting(
  'svc.files.access',
  choiceValue(['reference', 'references']).optional(),
  'Which callers get a file: `reference`, all who have its reference; `references`, who may read an attribute that refers to it, the default in the profile hardened',
);

/** Whether a file is for callers who may read what refers to it. */
export const followsReferences = (config: {
  readonly fileAccess: 'reference' | 'references' | undefined;
  readonly platform: { readonly securityProfile: 'compatible' | 'hardened' };
}): boolean =>
  config.fileAccess === undefined ? config.platform.securityProfile === 'hardened' : config.fileAccess === 'references';
