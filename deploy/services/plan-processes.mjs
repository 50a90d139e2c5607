import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigurationError, processSources, readConfiguration } from '@lintel/config';
import { freeLoopbackPort } from '@lintel/embedded-database';
import { MEMORY_ENVIRONMENT } from '../../tools/bootstrap/memory-environment.mjs';
import { mapKeys, SHAPES } from './service-shapes.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const FROM_SOURCES = process.execArgv.includes('--conditions=lintel-source');
const WILDCARDS = new Set(['0.0.0.0', '::']);

/**
 * By default it may grow to 96 MB, most of which stays resident; requests need no more of it than this. Old garbage is
 * collected when it is half as large as what lives.
 */
const SMALL_YOUNG_GENERATION = ['--max-semi-space-size=4', '--heap-growing-percent=50'];

/**
 * Options of Node by service. The buffers of a transfer lie outside of the heap, so V8 cleans up late by itself;
 * the files service asks for it, in a small young generation, and keeps little memory of any content that passes through.
 */
const NODE_OPTIONS = {
  ...{ gateway: SMALL_YOUNG_GENERATION, auth: SMALL_YOUNG_GENERATION },
  // What writes under way have made must not grow old there (ADR 116).
  data: ['--max-semi-space-size=16', '--heap-growing-percent=50'],
  files: ['--expose-gc', '--max-semi-space-size=1', '--optimize-for-size'],
  // A million rows pass through the young generation, and are garbage at once: a small one, and a heap that grows
  // slowly, keep the process below 300 MB.
  reports: ['--max-semi-space-size=8', '--heap-growing-percent=20'],
};

/**
 * @typedef {object} PlannedService
 * @property {string} name
 * @property {readonly string[]} parameters of Node
 * @property {Readonly<Record<string, string | undefined>>} environment
 * @property {string} url where its public listener will be
 */

/**
 * Reads the settings of all services, finds a port where 0 is given, and gives the services the addresses where the
 * others are, unless the settings do.
 *
 * @param {Readonly<Record<string, string | undefined>>} given the environment
 * @returns {Promise<{ services: readonly PlannedService[], gatewayUrl: string, summary: string,
 *   listeners: readonly { property: string, host: string, port: number }[] }>}
 * @throws {ConfigurationError} with the problems of all services
 */
export async function planProcesses(given) {
  const environment = { ...MEMORY_ENVIRONMENT, ...given };
  const named = (await readAll(environment)).named;
  if (given.PORT && !named('svc.gateway.port')) environment.SVC_GATEWAY_PORT = given.PORT;
  await choosePorts(environment, (await readAll(environment)).configs);
  const { configs } = await readAll(environment);
  const { auth, data, files, reports, gateway } = configs;
  const scheme = gateway.tls.certificateFile === undefined ? 'http' : 'https';
  const gatewayUrl = urlOf(gateway.host, gateway.port, scheme);
  const addresses = {
    'svc.gateway.auth-url': urlOf(auth.host, auth.port),
    'svc.gateway.data-url': urlOf(data.host, data.port),
    'svc.gateway.files-url': urlOf(files.host, files.port),
    'svc.gateway.reports-url': urlOf(reports.host, reports.port),
    'svc.authserver.jwks-url': `${urlOf(auth.host, auth.port)}/oauth2/jwks`,
    'svc.authserver.internal-url': urlOf(auth.internalHost, auth.internalPort),
    'svc.data.internal-url': urlOf(data.internalHost, data.internalPort),
    'svc.files.internal-url': urlOf(files.internalHost, files.internalPort),
    'svc.authserver.issuer': `${scheme}://localhost:${gateway.port}`,
  };
  for (const [name, url] of Object.entries(addresses)) if (!named(name)) environment[variableOf(name)] = url;
  // Callers stop first, and there is one process of each: no load balancer has to notice that it stops.
  if (!named('svc.shutdown.delay')) environment[variableOf('svc.shutdown.delay')] = '0s';
  environment.NODE_COMPILE_CACHE ??= join(ROOT, '.lintel', 'compile-cache');
  const services = Object.keys(SHAPES).map((name) => ({
    name,
    parameters: parametersOf(name),
    environment: { ...environment, OTEL_SERVICE_NAME: given.OTEL_SERVICE_NAME ?? `lintel-${name}` },
    url: name === 'gateway' ? gatewayUrl : urlOf(configs[name].host, configs[name].port),
  }));
  return { services, gatewayUrl, summary: summarize(configs), listeners: Object.entries(configs).flatMap(listenersOf) };
}

/** The settings of all services, and whether a source names a property. */
async function readAll(environment) {
  const configs = {};
  const problems = new Set();
  let properties = {};
  for (const [name, shape] of Object.entries(SHAPES)) {
    try {
      const { application, config } = await readConfiguration(shape, {
        environment,
        mapKeys,
      });
      properties = application.properties ?? {};
      configs[name] = config;
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      for (const problem of error.problems) problems.add(problem);
    }
  }
  if (problems.size > 0) throw new ConfigurationError([...problems]);
  const { sources } = processSources({ environment, applicationProperties: properties });
  const keys = new Set(sources.flatMap(({ values }) => Object.keys(values).map(plain)));
  return { configs, named: (name) => keys.has(plain(name)) };
}

/** Puts a free port where 0 is asked for: the services must know each other's before they start. */
async function choosePorts(environment, configs) {
  const { auth, data, files } = configs;
  const ports = {
    'svc.auth.internal-port': auth.internalPort,
    'svc.data.internal-port': data.internalPort,
    'svc.files.internal-port': files.internalPort,
    ...Object.fromEntries(Object.entries(configs).map(([name, { port }]) => [`svc.${name}.port`, port])),
  };
  for (const [name, port] of Object.entries(ports)) {
    if (port === 0) environment[variableOf(name)] = String(await freeLoopbackPort());
  }
}

/** Where a service listens, by property. */
function listenersOf([name, { host, port, internalHost, internalPort, management }]) {
  const internal = { property: `svc.${name}.internal-port`, host: internalHost, port: internalPort };
  return [
    { property: `svc.${name}.port`, host, port },
    ...(internalPort === undefined ? [] : [internal]),
    { property: `svc.${name}.management-port`, host: management.host, port: management.port },
  ];
}

function parametersOf(name) {
  const entry = FROM_SOURCES ? 'src/main.ts' : 'dist/main.js';
  return [
    // With what else sources need: a compiler for decorators.
    ...(FROM_SOURCES ? process.execArgv : []),
    ...(NODE_OPTIONS[name] ?? []),
    '--import',
    import.meta.resolve('@lintel/telemetry/register'),
    '--import',
    new URL('./end-with-parent.mjs', import.meta.url).href,
    join(ROOT, 'services', name, entry),
  ];
}

function summarize({ data, files }) {
  const storages = Object.entries(files.storages).map(([name, { kind }]) => `${name} (${kind})`);
  return [
    `starting five services for ${data.platform.application}`,
    data.database.migrate
      ? '  database: data brings it up to date first'
      : '  database: as it is ("npm run migrate" brings it up to date)',
    `  files in ${storages.length === 0 ? 'the folder .lintel/files' : storages.join(', ')}`,
  ].join('\n');
}

const urlOf = (host, port, scheme = 'http') => {
  const address = WILDCARDS.has(host) ? '127.0.0.1' : host;
  return `${scheme}://${address.includes(':') ? `[${address}]` : address}:${port}`;
};
const plain = (key) => key.replace(/[._-]/g, '').toLowerCase();
const variableOf = (name) => name.replace(/[.-]/g, '_').toUpperCase();
