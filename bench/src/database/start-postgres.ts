import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '@lintel/embedded-database';
import { reachableBinaries } from '@lintel/testkit/backends';

export interface BenchServer {
  /** Connection string of a superuser. */
  readonly url: string;
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
  if (given) return { url: given, stop: async () => undefined };
  const database = await startEmbeddedDatabase({
    folder,
    binaries: reachableBinaries(folder),
    user: 'postgres',
    password: passwordOf(folder),
    database: 'lintel_bench',
    settings: SETTINGS,
    onProgress,
  });
  return { url: database.url, stop: () => database.stop() };
}

/** The same for every start: the password of an existing cluster stays. */
function passwordOf(folder: string): string {
  const file = join(folder, 'password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(16).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}
