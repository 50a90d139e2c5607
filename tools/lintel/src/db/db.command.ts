import { Command } from 'commander';
import { withApplication, withDatabaseOptions } from '../administration/application-command.ts';
import type { ApplicationOptions } from '../application-context.ts';
import { handledBy } from '../handled-by.ts';
import type { CommandContext } from '../program.ts';

export interface DumpOptions extends ApplicationOptions {
  readonly output?: string;
}

export interface ResetOptions extends ApplicationOptions {
  readonly yes?: boolean;
  readonly force?: boolean;
}

export interface UndoOptions extends ApplicationOptions {
  readonly yes?: boolean;
}

/** `lintel db …` */
export function dbCommand(context: CommandContext): Command {
  const group = new Command('db')
    .description('The database of the application: that of svc.datasource.url, or that of this folder.')
    .addHelpText('after', '\npsql and pg_dump are programs of PostgreSQL, which must be installed on this machine.');

  withDatabaseOptions(
    group
      .command('psql')
      .description('Open psql in the database.')
      .argument('[parameters...]', 'parameters of psql, after --'),
  ).action(handledBy(context, async () => (await import('./run-psql.ts')).runPsql));

  withApplication(
    group
      .command('dump')
      .description('Write a dump of the database with pg_dump, to standard output or to a file.')
      .argument('[parameters...]', 'parameters of pg_dump, after --')
      .option('--output <path>', 'the file'),
  ).action(handledBy(context, async () => (await import('./dump-database.ts')).dumpDatabase));

  withApplication(
    group
      .command('reset')
      .description('Remove all tables and data of the database and run the migrations again.')
      .option('--yes', 'do not ask')
      .option('--force', 'also if the database is not that of this folder, or if others are connected'),
  ).action(handledBy(context, async () => (await import('./reset-database.ts')).resetDatabase));

  withApplication(
    group
      .command('undo')
      .description('Restore the copy that was made before migrations that lose data.')
      .option('--yes', 'do not ask'),
  ).action(handledBy(context, async () => (await import('./undo-migration.ts')).undoMigration));
  return group;
}
