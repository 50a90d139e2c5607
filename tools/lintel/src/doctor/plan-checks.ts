import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Application } from '@lintel/application';
import { datasourceOf, datasourceUrlOf, findRedisAddress, loadSettings, sessionUrlOf } from '@lintel/config';
import { type ApplicationOptions, applicationSources, openDatabaseOfFolder } from '../application-context.ts';
import { messageOf } from '../message-of.ts';
import type { Terminal } from '../terminal.ts';
import { applicationCheck, configurationCheck } from './application-checks.ts';
import { brokerCheck, redisCheck, storageCheck } from './backend-checks.ts';
import { type Check, failed, ok, skipped } from './check.ts';
import { databaseChecks } from './database-checks.ts';
import { type DoctorConfig, doctorSettings, listenersOf } from './doctor-settings.ts';
import { diskCheck, folderCheck, nodeCheck, portCheck } from './machine-checks.ts';

export interface Plan {
  readonly mode: 'standalone' | 'services';
  /** To be run one after the other. */
  readonly checks: readonly Check[];
  /** Ends what the checks have started. */
  readonly close: () => Promise<void>;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The checks of the mode that the configuration describes. */
export function planChecks(options: ApplicationOptions, environment: Variables, terminal: Terminal): Plan {
  const sources = applicationSources(options, environment);
  const config = loadSettings(doctorSettings, { ...sources, knownKeys: ['svc.*'] });
  const mode = findRedisAddress(config.redis) !== undefined || config.brokerUrls.length > 0 ? 'services' : 'standalone';
  const home = resolve(environment['LINTEL_HOME'] ?? '.lintel');
  let application: Application | undefined;
  const loaded = (): Application | undefined => application;
  const common = [
    nodeCheck,
    diskCheck(home),
    applicationCheck(options, environment, (found) => {
      application = found;
    }),
    configurationCheck(options, environment, mode, loaded),
  ];
  const files = storageCheck(config, join(home, 'files'));
  if (mode === 'services')
    return { mode, checks: [...common, ...checksOfServices(config, loaded, options), files], close: async () => {} };
  const own = ownDatabase(home, terminal);
  const port = Number(environment['PORT'] ?? config.gateway.port);
  return {
    mode,
    checks: [
      ...common,
      portCheck({ name: 'npm start', variable: 'PORT', host: '127.0.0.1', port }),
      folderCheck('home', home),
      ...(config.databaseUrl === undefined
        ? [own.check, ...databaseChecks({ url: own.url, application: loaded, migratesAtStart: true })]
        : databaseChecks({ ...configuredDatabase(config, config.databaseUrl, options), application: loaded })),
      files,
    ],
    close: own.close,
  };
}

/** A URL that the caller names is used instead of `svc.datasource.direct-url`. */
function configuredDatabase(
  { datasource, reportUrl, reportPasswordFile }: DoctorConfig,
  url: string,
  { url: named }: ApplicationOptions,
) {
  const config = { ...datasource, url, directUrl: named === undefined ? datasource.directUrl : undefined };
  const ofReports = { ...datasource, passwordFile: reportPasswordFile };
  return {
    url: () => sessionUrlOf(config),
    connection: datasourceOf(config),
    reportUrl: reportUrl === undefined ? undefined : datasourceUrlOf(reportUrl, ofReports),
  };
}

function checksOfServices(
  config: DoctorConfig,
  application: () => Application | undefined,
  options: ApplicationOptions,
): readonly Check[] {
  const { databaseUrl, redis, brokerUrls } = config;
  const redisAddress = findRedisAddress(redis);
  return [
    ...listenersOf(config).map(portCheck),
    ...(databaseUrl === undefined
      ? [missing('database', 'PostgreSQL', 'SVC_DATASOURCE_URL')]
      : databaseChecks({ ...configuredDatabase(config, databaseUrl, options), application })),
    redisAddress === undefined ? missing('redis', 'Redis', 'SVC_REDIS_URL') : redisCheck(redisAddress, redis.keyPrefix),
    ...(brokerUrls.length === 0 ? [missing('broker', 'RabbitMQ', 'SVC_BROKER_URLS')] : brokerUrls.map(brokerCheck)),
  ];
}

const missing = (id: string, title: string, variable: string): Check => ({
  id,
  title,
  run: async () => failed('no address is configured', `Set ${variable}`),
});

/** The PostgreSQL of this folder: started for the checks where it is there and does not run. */
function ownDatabase(home: string, terminal: Terminal) {
  let opened: Awaited<ReturnType<typeof openDatabaseOfFolder>> | undefined;
  const check: Check = {
    id: 'database.start',
    title: 'Database of this folder',
    async run() {
      // `npm start` makes the secrets together with the database.
      if (!existsSync(join(home, 'secrets.json'))) return skipped('made by the first "npm start"');
      try {
        opened = await openDatabaseOfFolder(terminal, home);
        return ok('starts');
      } catch (error) {
        return failed(messageOf(error), 'Details are in postgres.log in the folder of its data');
      }
    },
  };
  return { check, url: () => opened?.url, close: async () => opened?.close() };
}
