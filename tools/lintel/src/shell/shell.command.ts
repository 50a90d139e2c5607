import { Command } from 'commander';
import { withDatabaseOptions } from '../administration/application-command.ts';
import type { ApplicationOptions } from '../application-context.ts';
import { handledBy } from '../handled-by.ts';
import type { CommandContext } from '../program.ts';

export interface ShellOptions extends ApplicationOptions {
  readonly user?: string;
}

/** `lintel shell`: JavaScript with the data of the application. */
export const shellCommand = (context: CommandContext): Command =>
  withDatabaseOptions(
    new Command('shell')
      .description('Evaluate JavaScript with the data manager of the application; from a pipe, too.')
      .option('--user <name>', 'with the rights of this user; all rights without it'),
  )
    .addHelpText(
      'after',
      `
Variables:
  data               load, loadList, count, create, update, save, remove, inTransaction
  await as('clerk')  the same with the rights of a user
  model              entities and their attributes
Top-level await works. A pipe is one script; its last value is printed. Changes are written at once, with the rules, listeners and events of the model.`,
    )
    .action(handledBy(context, async () => (await import('./shell.ts')).shell));
