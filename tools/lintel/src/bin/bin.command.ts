import { Command } from 'commander';
import { collect, withApplication } from '../administration/application-command.ts';
import type { ApplicationOptions } from '../application-context.ts';
import { handledBy } from '../handled-by.ts';
import type { CommandContext } from '../program.ts';

export interface PurgeOptions extends ApplicationOptions {
  readonly olderThan: string;
  readonly entity?: readonly string[];
  readonly dryRun?: boolean;
}

/** `lintel bin …` */
export function binCommand(context: CommandContext): Command {
  const group = new Command('bin').description('Soft-deleted instances, straight in the database.');
  withApplication(
    group
      .command('purge')
      .description('Remove soft-deleted instances for good, with their children.')
      .requiredOption('--older-than <time>', 'deleted before then: 30d, 12h ago, or 2026-11-21T10:00:00Z')
      .option('--entity <name>', 'instances of this entity alone; may be repeated', collect)
      .option('--dry-run', 'count them and remove nothing'),
  )
    .addHelpText(
      'after',
      '\nDelete policies hold; instances that they keep are counted. Each instance is a transaction.',
    )
    .action(handledBy(context, async () => (await import('./purge-bin.ts')).purgeBin));
  return group;
}
