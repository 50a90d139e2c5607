import { mkdirSync } from 'node:fs';
import { type ConnectionConfig, datasourceOf } from '@lintel/config';
import { StartError } from '@lintel/errors';
import { assertDatabase, createDatabase } from '@lintel/persistence';
import type { Logger } from '@lintel/telemetry';
import { startHomeDatabase } from './home-database.ts';
import { keepSecrets, type Secrets } from './secrets.ts';
import { resolveStatePaths } from './state-directory.ts';

const CHECK_TIMEOUT_MS = 10_000;

/** The database of this process: a configured one, or one that the process has started. */
export interface OpenedDatabase {
  readonly url: string;
  /** Whether this process has started the server, which then belongs to it alone. */
  readonly isOwn: boolean;
  /** For people: where it is, without user and password. */
  readonly description: string;
  readonly secrets: Secrets;
  /** Resolves when a server that this process has started ends; never for a configured one. */
  readonly ended: Promise<void>;
  /** Stops a server that this process has started. */
  stop(): Promise<void>;
}

export interface OpenDatabaseOptions {
  /** Folder of the secrets, and of the database that is started if none is configured. */
  readonly home: string;
  /** Value of `svc.datasource.url`. */
  readonly configuredUrl: string | undefined;
  /** How it is connected to. */
  readonly connection: ConnectionConfig;
  readonly logger: Logger;
  readonly onProgress: (step: string) => void;
}

/**
 * Opens the database that `svc.datasource.url` names; starts the one of the home folder if the property is not set.
 *
 * @throws StartError if the configured database cannot be used; the message names the property
 */
export async function openDatabase({
  home,
  configuredUrl,
  connection,
  logger,
  onProgress,
}: OpenDatabaseOptions): Promise<OpenedDatabase> {
  if (configuredUrl === undefined) {
    const { database, secrets } = await startHomeDatabase(await resolveStatePaths(home, onProgress), onProgress);
    const { url, ended } = database;
    return { url, isOwn: true, description: `its own, in ${home}`, secrets, ended, stop: () => database.stop() };
  }
  onProgress('Connecting to the database');
  await assertUsable(configuredUrl, connection, logger);
  mkdirSync(home, { recursive: true });
  return {
    url: configuredUrl,
    isOwn: false,
    description: `${locationOf(configuredUrl)} (svc.datasource.url)`,
    secrets: keepSecrets(home, false),
    ended: new Promise(() => {}),
    stop: async () => {},
  };
}

/** Host, port and name of the database of a connection string. */
export const locationOf = (url: string): string =>
  url
    .replace(/^postgres(ql)?:\/\//, '')
    .replace(/^[^@/]*@/, '')
    .replace(/\?.*$/, '');

/** @throws StartError */
async function assertUsable(url: string, connection: ConnectionConfig, logger: Logger): Promise<void> {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new StartError(
      'svc.datasource.url: expected a PostgreSQL URL such as postgres://user:password@host:5432/database',
    );
  const options = {
    ...datasourceOf({ ...connection, url }),
    maxConnections: 1,
    statementTimeoutMs: CHECK_TIMEOUT_MS,
    applicationName: 'lintel-standalone',
    logger,
  };
  await assertDatabase(options);
  const database = createDatabase(options);
  try {
    await database.query({ text: 'SELECT 1', values: [] });
  } catch (error) {
    throw new StartError(`svc.datasource.url: the database ${locationOf(url)} cannot be used (${reasonOf(error)})`);
  } finally {
    await database.close();
  }
}

/** The first cause, which is that of the driver: errors of the platform say less, because clients see them. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join('; ');
  return error.message;
}
