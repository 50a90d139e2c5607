import { Command } from 'commander';
import { withApplication, withDatabaseOptions } from '../administration/application-command.ts';
import type { ApplicationOptions } from '../application-context.ts';
import type { CommandContext } from '../program.ts';

export interface DumpOptions extends ApplicationOptions {
  readonly output?: string;
  readonly json?: boolean;
}

export interface ResetOptions extends ApplicationOptions {
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

export interface UndoOptions extends ApplicationOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `lintel db …` */
export function dbCommand({ terminal, setExitCode }: CommandContext): Command {
  const group = new Command('db')
    .description('The database of the application: that of svc.datasource.url, or that of this folder.')
    .addHelpText('after', '\npsql and pg_dump are programs of PostgreSQL, which must be installed on this machine.');

  withDatabaseOptions(
    group
      .command('psql')
      .description('Open psql in the database.')
      .argument('[parameters...]', 'parameters of psql, after --'),
  ).action(async (parameters: readonly string[], options: ApplicationOptions) => {
    const { runPsql } = await import('./run-psql.ts');
    setExitCode(await runPsql(parameters, options, terminal));
  });

  withApplication(
    group
      .command('dump')
      .description('Write a dump of the database with pg_dump, to standard output or to a file.')
      .argument('[parameters...]', 'parameters of pg_dump, after --')
      .option('--output <path>', 'the file'),
  ).action(async (parameters: readonly string[], options: DumpOptions) => {
    const { dumpDatabase } = await import('./dump-database.ts');
    setExitCode(await dumpDatabase(parameters, options, terminal));
  });

  withApplication(
    group
      .command('reset')
      .description('Remove all tables and data of the database and run the migrations again.')
      .option('--yes', 'do not ask')
      .option('--force', 'also if the database is not that of this folder, or if others are connected'),
  ).action(async (options: ResetOptions) => {
    const { resetDatabase } = await import('./reset-database.ts');
    await resetDatabase(options, terminal);
  });

  withApplication(
    group
      .command('undo')
      .description('Restore the copy that was made before migrations that lose data.')
      .option('--yes', 'do not ask'),
  ).action(async (options: UndoOptions) => {
    const { undoMigration } = await import('./undo-migration.ts');
    await undoMigration(options, terminal);
  });
  return group;
}
