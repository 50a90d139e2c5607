import { Command } from 'commander';
import { withApplication } from '../administration/application-command.ts';
import type { ApplicationOptions } from '../application-context.ts';
import { handledBy } from '../handled-by.ts';
import type { CommandContext } from '../program.ts';

export interface ExportOptions extends ApplicationOptions {
  readonly to: string;
}

export interface EraseOptions extends ApplicationOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** `lintel person …` */
export function personCommand(context: CommandContext): Command {
  const group = new Command('person').description('Personal data of one person, straight in the database.');
  withApplication(
    group
      .command('export <entity> <id>')
      .description('Write everything about a person into a new folder: instances, history, files, user.')
      .requiredOption('--to <folder>', 'a folder that does not exist'),
  ).action(handledBy(context, async () => (await import('./export-person.ts')).exportPerson));
  withApplication(
    group
      .command('erase <entity> <id>')
      .description('Erase the personal values of a person, also in the bin and in the history.')
      .option('--dry-run', 'do everything in a transaction that is rolled back')
      .option('--yes', 'do not ask'),
  )
    .addHelpText('after', '\nThe report names what was erased, and what stays for which reason.')
    .action(handledBy(context, async () => (await import('./run-erasure.ts')).runErasure));
  return group;
}
