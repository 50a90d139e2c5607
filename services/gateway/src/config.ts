import {
  backendSettings,
  booleanValue,
  changeFeedsSetting,
  choiceValue,
  defineSettings,
  durationMsValue,
  gatewayHostSetting,
  integerValue,
  listValue,
  managementSettings,
  platformSettings,
  portValue,
  rateValue,
  redisSettings,
  resourceServerIssuerSetting,
  restPathSettings,
  type ServiceSafety,
  type SettingsOf,
  safeSettings,
  setting,
  sizeBytesValue,
  textValue,
  urlListValue,
  urlValue,
} from '@lintel/config';

/** Labels of letters, digits and hyphens; a last one of digits would make the name an IPv4 address. */
const HOST_SUFFIX = /^[a-z\d-]*(\.[a-z\d-]*[a-z][a-z\d-]*)*$/i;

const shape = defineSettings({
  platform: platformSettings,
  restPaths: restPathSettings,
  externalIssuer: resourceServerIssuerSetting,
  consoleExtension: setting(
    'svc.console.extension',
    textValue().optional(),
    'Folder with the extension of the console (`index.js`), absolute or below the resources of the application',
  ),
  host: gatewayHostSetting,
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
  fallbackHostSuffix: setting(
    'svc.gateway.fallback-host-suffix',
    textValue()
      .refine((text) => HOST_SUFFIX.test(text), 'expected the end of a host name, such as -internal')
      .optional(),
    'What follows the host name of a service in the name of a load balancer in front of its replicas. The load balancer is used while no replica is known to be ready, for instance because a DNS server caches an outdated response',
  ),
  upstreamTimeoutMs: setting(
    'svc.gateway.upstream-timeout',
    durationMsValue().default(300_000),
    'Longest silence of a service while it serves a request, then 504; of auth 30 seconds',
  ),
  maxConnections: setting(
    'svc.gateway.max-connections',
    integerValue({ min: 1, max: 65_535 }).default(256),
    'Maximum number of connections, and so of concurrent requests, to one replica of a service',
  ),
  /** Connections for feeds of changes to one replica of the data service, in addition to `maxConnections`. */
  maxStreams: changeFeedsSetting,
  /** How often the token of a feed of changes is checked; an expired or revoked token ends the feed. */
  streamCheckIntervalMs: 15_000,
  /** Longest wait of a request for a connection that is free, then 503; clients repeat requests soon after it. */
  queueTimeoutMs: 10_000,
  /** Requests that wait for a connection to one service; more could not be served within the wait, so they return 503 at once. */
  maxWaiting: 1_000,
  /** Between two checks of a replica, where a service has several; a check is one small request. */
  healthIntervalMs: 1_000,
  /** Between two lookups of a host name; the usual time to live of names in a cluster. */
  lookupIntervalMs: 5_000,
  /** Smaller responses are not compressed: they fit into one packet anyway. */
  minCodedBytes: 1024,
  /** Longest request line and headers, then 431: the limit of Node.js and of most proxies. */
  maxHeaderBytes: 16 * 1024,
  /** Longest path and query, then 414: RFC 9110 recommends at least 8000 octets. */
  maxUrlLength: 8 * 1024,
  maxBodyBytes: setting(
    'svc.gateway.max-body-size',
    sizeBytesValue().optional(),
    'Longest body of a request; then 413. Without it the limits of the services hold alone',
  ),
  /** Longest wait for the headers of a request, then 408; they fit into a few packets. */
  headersTimeoutMs: 30_000,
  /** Longest wait for a body, or for the first 64 KB of a long one, then 408. The rate of the rest is measured over this time. */
  bodyTimeoutMs: 30_000,
  /** Time over which the rate is measured at which a client reads a response: long enough for a short loss of the network. */
  responseTimeoutMs: 60_000,
  /** Bytes per second at which a client must read a response that waits for it; slower than any network in use. Feeds of changes have no such limit. */
  minResponseRate: 1024,
  concurrency: {
    user: setting(
      'svc.gateway.max-concurrent.user',
      integerValue({ min: 1 }).default(100),
      'Maximum number of requests of one user that are processed at the same time; then 429',
    ),
    client: setting(
      'svc.gateway.max-concurrent.client',
      integerValue({ min: 1 }).optional(),
      'The same for all users of one OAuth client; without it there is no limit',
    ),
    /** Concurrent requests without a valid token of one address, then 429. Requests to the token endpoints count, too. */
    address: 100,
  },
  maxConnectionsPerAddress: setting(
    'svc.gateway.max-connections-per-address',
    integerValue({ min: 1 }).default(2_000),
    'Maximum number of open connections of one address, except of trusted proxies',
  ),
  maxEventLoopDelayMs: setting(
    'svc.gateway.max-event-loop-delay',
    durationMsValue().default(500),
    'Median delay of timers above which the gateway refuses new requests with 503, except for tokens and logins',
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
  challengeNamesMetadata: setting(
    'svc.resource-server.metadata-in-challenge',
    booleanValue().optional(),
    'Whether `WWW-Authenticate` of a 401 names the metadata of the API (RFC 9728); by default in the profile `hardened` only',
  ),
  securityContact: setting(
    'svc.gateway.security-contact',
    urlValue(['https:', 'mailto:', 'tel:']).optional(),
    'Contact in `/.well-known/security.txt`, such as `mailto:security@example.com`; without it the file is not served',
  ),
  allowedHosts: setting(
    'svc.gateway.allowed-hosts',
    listValue().default([]),
    'Host names, with or without a port, under which clients know the gateway besides the host of `svc.authserver.issuer`',
  ),
  hstsMaxAgeMs: setting(
    'svc.gateway.hsts-max-age',
    durationMsValue().default(365 * 86_400_000),
    '`max-age` of `Strict-Transport-Security`, which responses over TLS carry; 0 sends none',
  ),
  trustedProxies: setting(
    'svc.gateway.trusted-proxies',
    listValue().default([]),
    'Addresses and networks (`10.0.0.0/8`) of proxies; their forwarding headers about clients are trusted',
  ),
  forwardedHeader: setting(
    'svc.gateway.forwarded-header',
    choiceValue(['x-forwarded', 'forwarded']).default('x-forwarded'),
    'Whether trusted proxies write `X-Forwarded-*` or `Forwarded` (RFC 7239); the other kind is never read',
  ),
  rateLimits: {
    user: setting(
      'svc.gateway.rate-limit.user',
      rateValue().default(Object.freeze({ limit: 12_000, windowSeconds: 60 })),
      'Requests of one user, by all clients together; then 429',
    ),
    client: setting(
      'svc.gateway.rate-limit.client',
      rateValue().optional(),
      'Requests of one OAuth client, for all its users together; then 429',
    ),
    address: setting(
      'svc.gateway.rate-limit.address',
      rateValue().default(Object.freeze({ limit: 3_000, windowSeconds: 60 })),
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
      listValue().default([
        'ETag',
        'Link',
        'Location',
        'X-Total-Count',
        'X-Candidates',
        'X-Error-Code',
        'X-Needed-Policy',
        'X-Trace-Id',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'Accept-Patch',
        'X-Ignored',
        'Server-Timing',
        'Deprecation',
        'Sunset',
        'Preference-Applied',
        'Idempotency-Replayed',
        'Content-Disposition',
        'Upload-Offset',
        'Upload-Length',
        'Upload-Metadata',
        'Upload-Expires',
        'Tus-Resumable',
        'Tus-Version',
        'Tus-Extension',
        'Tus-Max-Size',
        'WWW-Authenticate',
      ]),
      'Response headers that scripts of other origins may read',
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
  },
});

export type GatewayConfig = SettingsOf<typeof shape>;

/** Settings that are insecure where other machines can reach the service. */
export const safetyOf = ({ host }: GatewayConfig): ServiceSafety => ({ hosts: [host], insecure: [] });

/** The settings of the gateway. */
export const settings = safeSettings(shape, safetyOf);

/** With those of the broker, which the gateway needs as a process of its own. */
export const processSettings = defineSettings({ ...settings, brokerUrls: backendSettings.brokerUrls });

/** Where requests are counted for rate limits. Read only where there is one. */
export const rateLimitStoreSettings = defineSettings({
  redis: redisSettings(
    'optional',
    'Redis that counts requests of all replicas together for the rate limits; without it each replica counts by itself',
  ),
});
