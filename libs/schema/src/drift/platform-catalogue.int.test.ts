import { readFileSync } from 'node:fs';
import { createTestDatabase } from '@lintel/testkit';
import { Client } from 'pg';
import { platformCatalogueSource } from '../../test/platform-catalogue-source.ts';
import { PLATFORM_MIGRATIONS } from '../migrations/platform/index.ts';
import { runMigrations } from '../migrations/run-migrations.ts';
import { checksumOf } from '../migrations/schema-migration.ts';
import { readCatalogue } from './read-catalogue.ts';

test('the catalogue of the platform is what its migrations make (test/write-platform-catalogue.ts)', async () => {
  const server = await createTestDatabase('catalogue');
  const client = new Client({ connectionString: server.url });
  try {
    await runMigrations({ url: server.url, migrations: [] });
    await client.connect();
    const source = await platformCatalogueSource(client, readCatalogue);
    expect(readFileSync(new URL('platform-catalogue.ts', import.meta.url), 'utf8')).toBe(source);
  } finally {
    await client.end();
    await server.drop();
  }
});

test('migrations of the platform are added to, never changed: a database that ran them would refuse the others', () => {
  const checksums = PLATFORM_MIGRATIONS.map((migration) => `${migration.name} ${checksumOf(migration).slice(0, 12)}`);
  expect(checksums).toEqual(['1763683200100-platform 7d48fbb4ad81', '1764400000000-history 6f61ac8de229']);
});
