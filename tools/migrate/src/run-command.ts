import type { Application } from '@lintel/application';
import {
  compareWithModel,
  migrationStatus,
  revertLatestMigration,
  runMigrations,
  type SchemaDifference,
} from '@lintel/persistence';
import type { Command } from './parse-arguments.ts';
import { USAGE } from './parse-arguments.ts';
import { writeMigration } from './write-migration.ts';

export interface CommandContext {
  readonly application: Application;
  readonly url: string;
  /** Where `generate` writes when the command does not say. */
  readonly folder: () => string;
  readonly now: () => Date;
  readonly print: (line: string) => void;
}

/** Runs one command. Answers the exit code: 0, or 1 where `check` found a difference. */
export async function runCommand(command: Command, context: CommandContext): Promise<0 | 1> {
  const { application, url, print } = context;
  const migrations = application.migrations ?? [];
  switch (command.kind) {
    case 'generate':
      return generate(command.name, command.folder ?? context.folder(), context);
    case 'check': {
      const difference = await compareWithModel({ url, model: application.model, migrations });
      if (difference.up.length === 0) {
        print('The migrations make exactly the schema of the model.');
        return 0;
      }
      print('The migrations do not make the schema of the model. Missing:');
      for (const statement of difference.up) print(`  ${statement}`);
      return 1;
    }
    case 'run': {
      const names = await runMigrations({ url, migrations });
      for (const name of names) print(`ran ${name}`);
      print(names.length === 0 ? 'The database is up to date.' : `${names.length} migrations run.`);
      return 0;
    }
    case 'status':
      for (const { name, state } of await migrationStatus({ url, migrations })) print(`${state.padEnd(9)} ${name}`);
      return 0;
    case 'revert': {
      const name = await revertLatestMigration({ url, migrations });
      print(name === undefined ? 'No migration of the application has run.' : `reverted ${name}`);
      return 0;
    }
    case 'help':
      print(USAGE);
      return 0;
    default:
      return command satisfies never;
  }
}

async function generate(words: string, folder: string, context: CommandContext): Promise<0> {
  const { application, url, print } = context;
  const migrations = application.migrations ?? [];
  const difference: SchemaDifference = await compareWithModel({ url, model: application.model, migrations });
  if (difference.up.length === 0) {
    print('Nothing to do: the migrations make exactly the schema of the model.');
    return 0;
  }
  const name = `${context.now().getTime()}-${words}`;
  const path = await writeMigration(folder, { name, up: difference.up, down: difference.down });
  print(`wrote ${path} (${difference.up.length} statements); read it before you commit it`);
  for (const warning of difference.warnings) print(`warning: ${warning}`);
  return 0;
}
