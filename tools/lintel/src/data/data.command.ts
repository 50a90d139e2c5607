import { Command, Option } from 'commander';
import { collect } from '../administration/application-command.ts';
import { handledBy } from '../handled-by.ts';
import { type ServerOptions, withServer } from '../login/login.command.ts';
import type { CommandContext } from '../program.ts';

export interface DataExportOptions extends ServerOptions {
  readonly entity: readonly string[];
  readonly personal: boolean;
  readonly mask?: boolean;
}

export interface DataImportOptions extends ServerOptions {
  readonly dryRun?: boolean;
}

/** `lintel data …` */
export function dataCommand(context: CommandContext): Command {
  const group = new Command('data').description('Instances as files, from one installation to another.');
  withServer(
    group
      .command('export')
      .description('Write all instances of entities, and the instances that they refer to, into a folder.')
      .argument('<folder>', 'gets <entity>.ndjson of each entity, and files; others of an earlier export are removed')
      .requiredOption('--entity <name>', 'an entity, such as sales_Product; may be repeated', collect)
      .option('--no-personal', 'leave personal attributes out')
      .addOption(
        new Option('--mask', 'replace personal texts and dates by false ones, leave others out').conflicts('personal'),
      ),
  ).action(handledBy(context, async () => (await import('./export-data.ts')).exportData));
  withServer(
    group
      .command('import')
      .description('Create and change instances so that they are as in a folder. Others stay.')
      .argument('<folder>', 'written by "lintel data export"')
      .option('--dry-run', 'change nothing: report what each file would change'),
  ).action(handledBy(context, async () => (await import('./import-data.ts')).importData));
  return group;
}
