import {
  booleanValue,
  choiceListValue,
  choiceValue,
  defineSettings,
  durationMsValue,
  integerValue,
  listValue,
  managementSettings,
  platformSettings,
  portValue,
  rateValue,
  restPathSettings,
  type SettingsOf,
  setting,
  sizeBytesValue,
  textValue,
  urlListValue,
} from '@lintel/config';
import { CODINGS } from './compression/choose-coding.ts';

/** The settings of the gateway. */
export const settings = defineSettings({
  platform: platformSettings,
  restPaths: restPathSettings,
  host: setting('svc.gateway.host', textValue().default('0.0.0.0'), 'Address the gateway listens on'),
  port: setting('svc.gateway.port', portValue().default(8080), 'Port of the gateway'),
  management: managementSettings('gateway', 9180),
  upstreams: {
    auth: setting(
      'svc.gateway.auth-url',
      urlListValue().default(['http://127.0.0.1:8081']),
      'Addresses of the replicas of the auth service; a host name stands for all its addresses',
    ),
    data: setting(
      'svc.gateway.data-url',
      urlListValue().default(['http://127.0.0.1:8082']),
      'Addresses of the replicas of the data service; a host name stands for all its addresses',
    ),
    files: setting(
      'svc.gateway.files-url',
      urlListValue().default(['http://127.0.0.1:8083']),
      'Addresses of the replicas of the files service; a host name stands for all its addresses',
    ),
    reports: setting(
      'svc.gateway.reports-url',
      urlListValue().default(['http://127.0.0.1:8084']),
      'Addresses of the replicas of the reports service; a host name stands for all its addresses',
    ),
  },
  upstreamTimeoutMs: setting(
    'svc.gateway.upstream-timeout',
    durationMsValue().default(300_000),
    'Longest silence of a service while it serves a request; then 504',
  ),
  timeouts: {
    auth: setting(
      'svc.gateway.auth-timeout',
      durationMsValue().default(30_000),
      'Same as `svc.gateway.upstream-timeout`, for the paths of tokens, logins and keys',
    ),
    data: setting(
      'svc.gateway.data-timeout',
      durationMsValue().optional(),
      'Same as `svc.gateway.upstream-timeout`, for the paths of the data service',
    ),
    files: setting(
      'svc.gateway.files-timeout',
      durationMsValue().optional(),
      'Same as `svc.gateway.upstream-timeout`, for the paths of files',
    ),
    reports: setting(
      'svc.gateway.reports-timeout',
      durationMsValue().optional(),
      'Same as `svc.gateway.upstream-timeout`, for the paths of reports',
    ),
  },
  connectTimeoutMs: setting(
    'svc.gateway.connect-timeout',
    durationMsValue().default(5_000),
    'Longest wait for a connection to a service; then 503',
  ),
  maxConnections: setting(
    'svc.gateway.max-connections',
    integerValue({ min: 1, max: 65_535 }).default(256),
    'Connections to one replica of a service at most; each serves one request at a time, and more requests wait',
  ),
  streams: {
    maxConnections: setting(
      'svc.gateway.max-streams',
      integerValue({ min: 1, max: 65_535 }).default(1_000),
      'Feeds of changes that one replica of the data service serves at most, beside `svc.gateway.max-connections`',
    ),
    checkIntervalMs: setting(
      'svc.gateway.stream-check-interval',
      durationMsValue()
        .refine((ms) => ms >= 100 && ms <= 3_600_000, 'expected 100ms to 1h')
        .describe('a duration from 100ms to 1h')
        .default(15_000),
      'How often the token of a feed of changes is looked at; one that has expired or was revoked ends the feed',
    ),
  },
  queueTimeoutMs: setting(
    'svc.gateway.queue-timeout',
    durationMsValue().default(10_000),
    'Longest wait of a request for a connection that is free; then 503',
  ),
  health: {
    intervalMs: setting(
      'svc.gateway.health-interval',
      durationMsValue().default(1_000),
      'Between two checks of a replica, where a service has several',
    ),
    timeoutMs: setting(
      'svc.gateway.health-timeout',
      durationMsValue().default(3_000),
      'Longest wait for the answer of a check; then the replica counts as unreachable',
    ),
  },
  lookupIntervalMs: setting(
    'svc.gateway.lookup-interval',
    durationMsValue().default(5_000),
    'Between two looks at the addresses of a host name',
  ),
  compression: {
    codings: setting(
      'svc.gateway.compression.codings',
      choiceListValue(CODINGS).default(CODINGS),
      'Codings of text in answers, the best first; where a client takes several alike, the first one. Empty: none',
    ),
    minBytes: setting(
      'svc.gateway.compression.min-size',
      sizeBytesValue().default(1024),
      'Answers with fewer bytes are not compressed',
    ),
  },
  maxHeaderBytes: setting(
    'svc.gateway.max-header-size',
    sizeBytesValue().default(16 * 1024),
    'Longest request line and headers; then 431',
  ),
  maxUrlLength: setting(
    'svc.gateway.max-url-length',
    sizeBytesValue().default(8 * 1024),
    'Longest path and query of a request; then 414',
  ),
  maxBodyBytes: setting(
    'svc.gateway.max-body-size',
    sizeBytesValue().optional(),
    'Longest body of a request; then 413. Without it the limits of the services hold alone',
  ),
  headersTimeoutMs: setting(
    'svc.gateway.header-timeout',
    durationMsValue().default(30_000),
    'Longest wait for the headers of a request; then 408',
  ),
  bodyTimeoutMs: setting(
    'svc.gateway.body-timeout',
    durationMsValue().default(30_000),
    'Longest wait for a body, of a long one for its first 16 KB, and for each 64 KB behind them; then 408',
  ),
  tls: {
    certificateFile: setting(
      'svc.gateway.tls.certificate-file',
      textValue().optional(),
      'PEM file with the certificate chain; without it the gateway speaks plain HTTP',
    ),
    keyFile: setting('svc.gateway.tls.key-file', textValue().optional(), 'PEM file with the private key'),
    minVersion: setting(
      'svc.gateway.tls.min-version',
      choiceValue(['TLSv1.2', 'TLSv1.3']).default('TLSv1.2'),
      'Oldest version of TLS that clients may speak',
    ),
  },
  trustedProxies: setting(
    'svc.gateway.trusted-proxies',
    listValue().default([]),
    'Addresses and networks (`10.0.0.0/8`) of proxies; what they tell about clients is believed',
  ),
  forwardedHeader: setting(
    'svc.gateway.forwarded-header',
    choiceValue(['x-forwarded', 'forwarded']).default('x-forwarded'),
    'Whether trusted proxies write `X-Forwarded-*` or `Forwarded` (RFC 7239); the other kind is never read',
  ),
  rateLimits: {
    user: setting(
      'svc.gateway.rate-limit.user',
      rateValue().optional(),
      'Requests of one user, whatever the client; then 429',
    ),
    client: setting(
      'svc.gateway.rate-limit.client',
      rateValue().optional(),
      'Requests of one OAuth client, for all its users together; then 429',
    ),
    address: setting(
      'svc.gateway.rate-limit.address',
      rateValue().optional(),
      'Requests without a valid token of one address, those to the token endpoints included; then 429',
    ),
  },
  cors: {
    allowedOrigins: setting(
      'svc.cors.allowed-origins',
      listValue().default(['*']),
      'Origins of browsers; others get 403',
    ),
    allowedMethods: setting('svc.cors.allowed-methods', listValue().default(['*']), 'Methods allowed across origins'),
    allowedHeaders: setting(
      'svc.cors.allowed-headers',
      listValue().default(['*']),
      'Request headers allowed across origins',
    ),
    exposedHeaders: setting(
      'svc.cors.exposed-headers',
      listValue().default([]),
      'Answer headers that scripts may read',
    ),
    urlPatterns: setting(
      'svc.cors.url-patterns',
      listValue().default(['/**']),
      'URL patterns that CORS rules apply to',
    ),
    allowCredentials: setting(
      'svc.cors.allow-credentials',
      booleanValue().default(false),
      'Whether browsers may send cookies; needs named origins',
    ),
    maxAgeMs: setting(
      'svc.cors.max-age',
      durationMsValue().default(1_800_000),
      'How long browsers may keep a preflight answer',
    ),
  },
});

export type GatewayConfig = SettingsOf<typeof settings>;
