import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedDatabase, readServerFile, startEmbeddedDatabase } from '@lintel/embedded-database';
import { claimHome, HomeTakenError } from './instance-claim.ts';
import { keepSecrets, type Secrets } from './secrets.ts';
import { resolveStatePaths, type StatePaths } from './state-directory.ts';

/** Name of the user and of the database. */
const NAME = 'lintel';
const START_TIMEOUT_MS = 30_000;

/** The database of a home folder, for a command that runs with or without `npm start`. */
export interface HomeDatabase {
  /** Connection string of its owner, with the password. */
  readonly url: string;
  /** Stops the database if it was started for this caller. */
  close(): Promise<void>;
}

/** Starts the database of a home folder that this process has claimed; creates it where there is none. */
export async function startHomeDatabase(
  paths: StatePaths,
  onProgress: (step: string) => void,
): Promise<{ readonly database: EmbeddedDatabase; readonly secrets: Secrets }> {
  const secrets = keepSecrets(paths.home, existsSync(join(paths.database, 'data')));
  const database = await startEmbeddedDatabase({
    folder: paths.database,
    binaries: paths.binaries,
    user: NAME,
    password: secrets.databasePassword,
    database: NAME,
    onProgress,
  });
  return { database, secrets };
}

/**
 * The database of a home folder: that of the process that has claimed the folder, else one that is started for the
 * caller.
 *
 * @throws HomeTakenError where the database of the process that has claimed the folder does not become ready
 */
export async function openHomeDatabase(home: string, onProgress: (step: string) => void): Promise<HomeDatabase> {
  const paths = await resolveStatePaths(home, onProgress);
  try {
    claimHome(paths.home);
  } catch (error) {
    if (!(error instanceof HomeTakenError)) throw error;
    return { url: await urlOfRunning(paths, error), close: async () => {} };
  }
  const { database } = await startHomeDatabase(paths, onProgress);
  return { url: database.url, close: () => database.stop() };
}

async function urlOfRunning(paths: StatePaths, taken: HomeTakenError): Promise<string> {
  const data = join(paths.database, 'data');
  for (const deadline = performance.now() + START_TIMEOUT_MS; performance.now() < deadline; await sleep(100)) {
    const server = readServerFile(data);
    if (server?.status !== 'ready') continue;
    const { databasePassword } = keepSecrets(paths.home, true);
    return `postgres://${NAME}:${encodeURIComponent(databasePassword)}@127.0.0.1:${server.port}/${NAME}`;
  }
  throw taken;
}
