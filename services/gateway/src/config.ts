import {
  booleanValue,
  choiceListValue,
  choiceValue,
  defineSettings,
  durationMsValue,
  integerValue,
  listValue,
  platformSettings,
  portValue,
  rateValue,
  restPathSettings,
  type SettingsOf,
  setting,
  sizeBytesValue,
  textValue,
  urlValue,
} from '@lintel/config';
import { CODINGS } from './compression/choose-coding.ts';

/** The settings of the gateway. */
export const settings = defineSettings({
  platform: platformSettings,
  restPaths: restPathSettings,
  host: setting('svc.gateway.host', textValue().default('0.0.0.0'), 'Address the gateway listens on'),
  port: setting('svc.gateway.port', portValue().default(8080), 'Port of the gateway'),
  upstreams: {
    auth: setting('svc.gateway.auth-url', urlValue().default('http://127.0.0.1:8081'), 'Address of the auth service'),
    data: setting('svc.gateway.data-url', urlValue().default('http://127.0.0.1:8082'), 'Address of the data service'),
    files: setting(
      'svc.gateway.files-url',
      urlValue().default('http://127.0.0.1:8083'),
      'Address of the files service',
    ),
    reports: setting(
      'svc.gateway.reports-url',
      urlValue().default('http://127.0.0.1:8084'),
      'Address of the reports service',
    ),
  },
  upstreamTimeoutMs: setting(
    'svc.gateway.upstream-timeout',
    durationMsValue().default(300_000),
    'Longest silence of a service while it serves a request; then 504',
  ),
  connectTimeoutMs: setting(
    'svc.gateway.connect-timeout',
    durationMsValue().default(5_000),
    'Longest wait for a connection to a service; then 503',
  ),
  maxConnections: setting(
    'svc.gateway.max-connections',
    integerValue({ min: 1, max: 65_535 }).default(256),
    'Connections to one service at most',
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
  drainMs: setting(
    'svc.gateway.drain-timeout',
    durationMsValue().default(10_000),
    'How long requests in flight may take when the gateway stops',
  ),
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
