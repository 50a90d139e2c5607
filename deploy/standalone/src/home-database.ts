import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedDatabase, readServerFile, startEmbeddedDatabase } from '@lintel/embedded-database';
import { claimHome, HomeTakenError } from './instance-claim.ts';
import { findPlace, type Place } from './place.ts';
import { keepSecrets, type Secrets } from './secrets.ts';

/** User and database. */
const NAME = 'lintel';
const START_TIMEOUT_MS = 30_000;

/** The database of a home folder, for a command that works beside `npm start` or without it. */
export interface HomeDatabase {
  /** Connection string of its owner, password included. */
  readonly url: string;
  /** Stops the database where it was started for this. */
  close(): Promise<void>;
}

/** Starts the database of a home folder that this process has claimed; a new one is made when there is none. */
export async function startHomeDatabase(
  place: Place,
  onProgress: (step: string) => void,
): Promise<{ readonly database: EmbeddedDatabase; readonly secrets: Secrets }> {
  const secrets = keepSecrets(place.home, existsSync(join(place.database, 'data')));
  const database = await startEmbeddedDatabase({
    folder: place.database,
    binaries: place.binaries,
    user: NAME,
    password: secrets.databasePassword,
    database: NAME,
    onProgress,
  });
  return { database, secrets };
}

/**
 * The database of a home folder: that of the process that runs there, else one that is started now and belongs to
 * the caller.
 *
 * @throws HomeTakenError where the process that has the folder does not get its database to work
 */
export async function openHomeDatabase(home: string, onProgress: (step: string) => void): Promise<HomeDatabase> {
  const place = findPlace(home);
  try {
    claimHome(place.home);
  } catch (error) {
    if (!(error instanceof HomeTakenError)) throw error;
    return { url: await urlOfRunning(place, error), close: async () => {} };
  }
  const { database } = await startHomeDatabase(place, onProgress);
  return { url: database.url, close: () => database.stop() };
}

async function urlOfRunning(place: Place, taken: HomeTakenError): Promise<string> {
  const data = join(place.database, 'data');
  for (const deadline = performance.now() + START_TIMEOUT_MS; performance.now() < deadline; await sleep(100)) {
    const server = readServerFile(data);
    if (server?.status !== 'ready') continue;
    const { databasePassword } = keepSecrets(place.home, true);
    return `postgres://${NAME}:${encodeURIComponent(databasePassword)}@127.0.0.1:${server.port}/${NAME}`;
  }
  throw taken;
}
