import { defineSettings } from './define-settings.ts';
import { setting } from './setting.ts';
import { choiceValue, durationMsValue, listValue, textValue, urlValue } from './values.ts';

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
    'Properties files, read before the environment; later files win',
  ),
  logLevel: setting(
    'svc.log.level',
    choiceValue(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    'Least severe log lines that are written',
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
  authInternalUrl: setting(
    'svc.authserver.internal-url',
    urlValue().default('http://127.0.0.1:9081'),
    'Internal listener of the auth service',
  ),
  internalSecret: setting(
    'svc.internal.secret',
    textValue(),
    'Shared secret of the calls between services; the same everywhere',
    { secret: true },
  ),
  anonymousUrlPatterns: setting(
    'svc.rest.anonymous-url-patterns',
    listValue().default([]),
    'URL patterns (`?`, `*`, `**`) that need no token',
  ),
  authenticatedUrlPatterns: setting(
    'svc.rest.authenticated-url-patterns',
    listValue().default([]),
    'Further URL patterns that need a token; everything under the REST base path does anyway',
  ),
  resourceServerAnonymousUrlPatterns: setting(
    'svc.resource-server.anonymous-url-patterns',
    listValue().default([]),
    'Same as `svc.rest.anonymous-url-patterns`; the lists are joined',
  ),
  resourceServerAuthenticatedUrlPatterns: setting(
    'svc.resource-server.authenticated-url-patterns',
    listValue().default([]),
    'Same as `svc.rest.authenticated-url-patterns`; the lists are joined',
  ),
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
  telemetryServiceName: setting(
    'svc.telemetry.service-name',
    textValue().default('lintel'),
    'Resource name of the traces; read from `SVC_TELEMETRY_SERVICE_NAME`',
  ),
});
