import { randomBytes } from 'node:crypto';
import { type Application, messageReader } from '@lintel/application';
import type { InvalidatedCache } from '@lintel/cache';
import {
  accessLogOptions,
  applicationOptions,
  createDatabaseLimits,
  type DatabaseLimits,
  type DataConfig,
  primaryOptions,
  reportOptions,
  splitDatabase,
} from '@lintel/data';
import { createLiveMessages, createLiveReports, createLiveRoles } from '@lintel/persistence';
import { hasAccessLog } from '@lintel/reading';
import { type ReportsPorts, storedReportReader } from '@lintel/reports';
import { createReportLogin } from '@lintel/schema';
import { roleReader } from '@lintel/security';
import { type Authentication, createAuthentication } from '@lintel/service';
import type { StandaloneHost } from './standalone-host.ts';

/** What data, files and reports share in one process: a pool, the verification of tokens, and their caches. */
export interface Shared
  extends Authentication,
    Required<Pick<ReportsPorts, 'currentRoles' | 'currentMessages' | 'storedReports'>> {
  readonly application: Application;
  readonly platform: DataConfig['platform'];
  readonly database: Database;
  /** Has the tables of the application, where they are not in the database of the platform. */
  readonly applicationDatabase: Database | undefined;
  /** Writes the access log, where an entity has one. */
  readonly accessLogDatabase: Database | undefined;
  /** Read-only connections for the SQL of reports; without them SQL data sets are refused. */
  readonly reportDatabase: Database | undefined;
  readonly resultMemory: DatabaseLimits['resultMemory'];
  /** Those of all of these but the verifier, to be invalidated by events. */
  readonly caches: readonly InvalidatedCache[];
}

type Database = ReturnType<StandaloneHost['open']>;

/**
 * @param ownsDatabase whether this process has started the database server
 * @throws what the database throws
 */
export async function openShared(
  host: StandaloneHost,
  application: Application,
  config: DataConfig,
  ownsDatabase: boolean,
): Promise<Shared> {
  const { platform } = config;
  const limits = createDatabaseLimits(config);
  const platformDatabase = host.open(primaryOptions(config, limits));
  const { applicationUrl, readUrls } = config.database;
  const applicationDatabase =
    applicationUrl === undefined ? undefined : host.open(applicationOptions(config, limits, applicationUrl));
  const database =
    applicationDatabase === undefined
      ? platformDatabase
      : splitDatabase(application, { platform: platformDatabase, application: applicationDatabase, readUrls });
  const live = { database, maxStalenessMs: platform.cacheMaxStaleness, logger: host.loggerOf('standalone') };
  const authentication = createAuthentication({ platform, sessionStore: host.sessionStore, clock: host.clock });
  const roles = host.own(await createLiveRoles({ ...live, read: roleReader(application) }));
  const messages = host.own(await createLiveMessages({ ...live, read: messageReader(application.messages) }));
  const storedReports = host.own(await createLiveReports({ ...live, read: storedReportReader(application) }));
  return {
    application,
    platform,
    database,
    applicationDatabase,
    reportDatabase: await openReportDatabase(host, database, config, limits, ownsDatabase),
    accessLogDatabase: hasAccessLog(application.model) ? host.open(accessLogOptions(config, limits)) : undefined,
    resultMemory: limits.resultMemory,
    ...authentication,
    currentRoles: () => roles.current(),
    currentMessages: () => messages.current(),
    storedReports: () => storedReports.current(),
    caches: [authentication.sessions, roles, messages, storedReports],
  };
}

async function openReportDatabase(
  host: StandaloneHost,
  database: Database,
  config: DataConfig,
  limits: DatabaseLimits,
  ownsDatabase: boolean,
): Promise<Database | undefined> {
  const { reportUrl, url, applicationUrl } = config.database;
  if (reportUrl === undefined && (!ownsDatabase || applicationUrl !== undefined)) return undefined;
  // The database server belongs to this process alone, so the password need not be kept.
  const ofReports = reportUrl ?? (await createReportLogin(database, url, randomBytes(24).toString('base64url')));
  return host.open(reportOptions(config, limits, ofReports));
}
