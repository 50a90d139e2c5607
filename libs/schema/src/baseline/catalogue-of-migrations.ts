import { type CompareOptions, createExternalTables } from '../comparison/compare-with-model.ts';
import { withShadowDatabase } from '../comparison/shadow-database.ts';
import type { Catalogue } from '../drift/catalogue.ts';
import { readCatalogue } from '../drift/read-catalogue.ts';
import { withReadingSession } from '../migrations/migration-session.ts';
import { runMigrations } from '../migrations/run-migrations.ts';

/**
 * The tables that the migrations of the application create or change, as the catalogue of an empty database on the same
 * server describes them after the migrations. The user needs the privilege `CREATEDB`.
 */
export async function catalogueOfMigrations(options: CompareOptions): Promise<Pick<Catalogue, 'tables'>> {
  return withShadowDatabase(options.url, async (url) => {
    await runMigrations({ url, migrations: [], lock: false });
    await createExternalTables(url, options.model, options.migrations);
    const before = new Map((await tablesOf(url)).map((table) => [nameOf(table), JSON.stringify(table)]));
    await runMigrations({ url, migrations: options.migrations, lock: false });
    const tables = (await tablesOf(url)).filter((table) => before.get(nameOf(table)) !== JSON.stringify(table));
    return { tables: tables.filter(({ isView }) => isView !== true) };
  });
}

const nameOf = ({ schema, name }: { readonly schema: string; readonly name: string }): string => `${schema}.${name}`;

const SCHEMAS = `SELECT nspname AS name FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'`;

const tablesOf = (url: string): Promise<Catalogue['tables']> =>
  withReadingSession(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(SCHEMAS);
    const { tables } = await readCatalogue(
      client,
      rows.map(({ name }) => name),
    );
    return tables;
  });
