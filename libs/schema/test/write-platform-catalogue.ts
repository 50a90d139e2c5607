/**
 * Writes `src/drift/platform-catalogue.ts` anew, after a migration of the platform was added:
 * `node --conditions=lintel-source libs/schema/test/write-platform-catalogue.ts`.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '@lintel/embedded-database';
import { runMigrations } from '@lintel/schema';
import { Client } from 'pg';
import { readCatalogue } from '../src/drift/read-catalogue.ts';
import { platformCatalogueSource } from './platform-catalogue-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-catalogue-'));
// As root, the server runs as another user.
chmodSync(folder, 0o755);
const server = await startEmbeddedDatabase({ folder, user: 'lintel', password: 'lintel', database: 'lintel' });
try {
  await runMigrations({ url: server.url, migrations: [] });
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const file = new URL('../src/drift/platform-catalogue.ts', import.meta.url);
  writeFileSync(file, await platformCatalogueSource(client, readCatalogue));
  await client.end();
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
