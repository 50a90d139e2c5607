import type { Model } from '@lintel/metadata';
import { withMigrationSession } from '../migrations/migration-session.ts';
import { runMigrations } from '../migrations/run-migrations.ts';
import { describeTables } from '../tables/expected/describe-tables.ts';
import { createTables, placeholdersOf } from './compare-with-model.ts';

/**
 * Creates the tables of a model without migrations: for tests and trials on an empty database. The platform's tables
 * (outbox, users, auth) are created as well.
 */
export async function createSchemaFromModel(url: string, model: Model): Promise<void> {
  await runMigrations({ url, migrations: [] });
  const tables = describeTables(model);
  await withMigrationSession({ url }, (client) =>
    createTables(client, [...tables.filter(({ external }) => !external), ...placeholdersOf(tables)]),
  );
}
