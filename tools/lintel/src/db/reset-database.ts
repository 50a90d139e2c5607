import type { Database, StatementRunner } from '@lintel/persistence';
import { runMigrations } from '@lintel/schema';
import { type ApplicationContext, openApplication, withDatabase } from '../application-context.ts';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { withConnection } from '../with-connection.ts';
import type { ResetOptions } from './db.command.ts';
import { locationOf } from './program-connection.ts';

const CONNECTION = { statementTimeoutMs: 60_000, applicationName: 'lintel db reset' };

/**
 * Removes all schemas of the database with their data, in one transaction, and runs the migrations of the application
 * again. Logins, which belong to the server, and stored files stay.
 *
 * @throws CommandError where the database is not that of the folder or others are connected, unless forced, and where
 *   it is not confirmed
 */
export async function resetDatabase(options: ResetOptions, terminal: Terminal): Promise<void> {
  const context = await openApplication(options);
  assertOwn(context, options);
  const schemas = await withDatabase(context, terminal, async (url) => {
    const removed = await withConnection({ url, ...CONNECTION }, async (database) => {
      const found = await schemasOf(database);
      if (options.force !== true) await assertAlone(database);
      await confirm(found, locationOf(url), options, terminal);
      await terminal.during('Removing all tables and data', () => removeSchemas(database, found));
      return found;
    });
    const migrations = context.application.migrations ?? [];
    await terminal.during('Running the migrations', () => runMigrations({ url, migrations }));
    return removed;
  });
  if (options.json === true) terminal.print(JSON.stringify({ removedSchemas: schemas }, null, 2));
  else
    terminal.print(
      'The database is empty, and its migrations have run. The next start adds demo data if svc.demo.enabled is set.',
    );
}

function assertOwn({ databaseUrl }: ApplicationContext, { force }: ResetOptions): void {
  if (databaseUrl === undefined || force === true) return;
  throw new CommandError(
    `The database ${locationOf(databaseUrl)} is configured (svc.datasource.url) and not that of this folder`,
    'Others may use it. Add --force to remove all its data nevertheless',
  );
}

async function schemasOf(database: StatementRunner): Promise<readonly string[]> {
  const text = `SELECT nspname AS name FROM pg_namespace
    WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema' ORDER BY nspname`;
  return (await database.query<{ name: string }>({ text, values: [] })).map(({ name }) => name);
}

/** A service that runs would go on with tables that no longer exist. */
async function assertAlone(database: StatementRunner): Promise<void> {
  const text = `SELECT DISTINCT coalesce(nullif(application_name, ''), usename::text) AS name FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' ORDER BY 1`;
  const others = (await database.query<{ name: string }>({ text, values: [] })).map(({ name }) => name);
  if (others.length > 0)
    throw new CommandError(
      `Others are connected to the database: ${others.join(', ')}`,
      'Stop them first, for example "npm start", or add --force',
    );
}

async function confirm(
  schemas: readonly string[],
  location: string,
  { yes, force }: ResetOptions,
  terminal: Terminal,
): Promise<void> {
  if (yes === true) return;
  const what = `All data of the database ${location} would be removed (schemas ${schemas.join(', ')})`;
  if (!terminal.isInteractive) throw new CommandError(what, 'Add --yes to confirm');
  const name = force === true ? (location.split('/').pop() ?? '') : 'yes';
  terminal.note(`${what}.`);
  const typed = await terminal.askText(`Type "${name}" to remove it`, '', () => undefined);
  if (typed.trim() !== name) throw new CommandError('Nothing was removed', `Confirm with "${name}"`);
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const removeSchemas = (database: Database, schemas: readonly string[]): Promise<void> =>
  database.transaction(async (transaction) => {
    for (const name of schemas) await transaction.query({ text: `DROP SCHEMA ${quoted(name)} CASCADE`, values: [] });
    await transaction.query({ text: 'CREATE SCHEMA public', values: [] });
    await transaction.query({ text: 'GRANT USAGE ON SCHEMA public TO PUBLIC', values: [] });
  });
