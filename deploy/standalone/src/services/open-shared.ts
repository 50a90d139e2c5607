import { randomBytes } from 'node:crypto';
import { type Application, messageReader } from '@lintel/application';
import { createSessionCache, type InvalidatedCache } from '@lintel/cache';
import { createDatabaseLimits, type DatabaseLimits, type DataConfig } from '@lintel/data';
import { createTokenVerifier, type RemoteTokenVerifier } from '@lintel/http';
import { createLiveMessages, createLiveReports, createLiveRoles } from '@lintel/persistence';
import { type ReportsPorts, storedReportReader } from '@lintel/reports';
import { createReportLogin } from '@lintel/schema';
import { roleReader } from '@lintel/security';
import { monotonicClock } from '@lintel/timing';
import type { StandaloneHost } from './standalone-host.ts';

/** What data, files and reports share in one process: a pool, the verification of tokens, and their caches. */
export interface Shared extends Required<Pick<ReportsPorts, 'currentRoles' | 'currentMessages' | 'storedReports'>> {
  readonly application: Application;
  readonly platform: DataConfig['platform'];
  readonly database: Database;
  /** For the SQL of reports; it cannot write. */
  readonly reportDatabase: Database;
  readonly resultMemory: DatabaseLimits['resultMemory'];
  readonly verifier: RemoteTokenVerifier;
  readonly sessions: ReturnType<typeof createSessionCache>;
  readonly loadSession: ReportsPorts['loadSession'];
  /** All of these, to be invalidated by events. */
  readonly caches: readonly InvalidatedCache[];
}

type Database = ReturnType<StandaloneHost['open']>;

/** @throws what the database throws */
export async function openShared(host: StandaloneHost, application: Application, config: DataConfig): Promise<Shared> {
  const { platform } = config;
  const { poolSize, statementTimeoutMs, slowQueries } = config.database;
  const limits = createDatabaseLimits(config);
  const database = host.open({
    applicationName: 'lintel-data',
    maxConnections: poolSize,
    statementTimeoutMs,
    slowQueries,
    ...limits,
  });
  const logger = host.loggerOf('standalone');
  const bounded = { maxStalenessMs: platform.cacheMaxStaleness, clock: monotonicClock };
  const live = { database, maxStalenessMs: platform.cacheMaxStaleness, logger };
  const sessions = createSessionCache({ sessions: host.sessionStore, ...bounded });
  const roles = await createLiveRoles({ ...live, read: roleReader(application) });
  host.onClose(() => roles.close());
  const messages = await createLiveMessages({ ...live, read: messageReader(application.messages) });
  host.onClose(() => messages.close());
  const storedReports = await createLiveReports({ ...live, read: storedReportReader(application) });
  host.onClose(() => storedReports.close());
  return {
    application,
    platform,
    database,
    reportDatabase: await openReportDatabase(host, database, config, limits),
    resultMemory: limits.resultMemory,
    verifier: createTokenVerifier({ jwksUrl: platform.jwksUrl, issuer: platform.issuer, clock: host.clock }),
    sessions,
    loadSession: (id: string) => sessions.get(id),
    currentRoles: () => roles.current(),
    currentMessages: () => messages.current(),
    storedReports: () => storedReports.current(),
    caches: [sessions, roles, messages, storedReports],
  };
}

async function openReportDatabase(
  host: StandaloneHost,
  database: Database,
  { database: settings }: DataConfig,
  limits: DatabaseLimits,
): Promise<Database> {
  // The database server belongs to this process alone: nobody else needs to know the password.
  const url =
    settings.reportUrl ?? (await createReportLogin(database, settings.url, randomBytes(24).toString('base64url')));
  const { reportPoolSize: maxConnections, reportStatementTimeoutMs: statementTimeoutMs } = settings;
  return host.open(
    {
      applicationName: 'lintel-data-reports',
      maxConnections,
      statementTimeoutMs,
      readOnly: true,
      slowQueries: settings.slowQueries,
      ...limits,
    },
    url,
  );
}
