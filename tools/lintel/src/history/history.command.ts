import { Command } from 'commander';
import { withApplication } from '../administration/application-command.ts';
import type { ApplicationOptions } from '../application-context.ts';
import type { CommandContext } from '../program.ts';

export interface PruneOptions extends ApplicationOptions {
  readonly olderThan?: string;
  readonly entity?: readonly string[];
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const collect = (value: string, all: readonly string[] = []): readonly string[] => [...all, value];

/** `lintel history …` */
export function historyCommand({ terminal }: CommandContext): Command {
  const group = new Command('history').description('Recorded changes of instances.');
  withApplication(
    group
      .command('prune')
      .description('Delete recorded changes and reads that are older than the retention of their entity.')
      .option('--older-than <time>', 'instead of the retention: 2026-11-21T10:00:00Z, or 12h, 90d ago')
      .option('--entity <name>', 'those of this entity alone; may be repeated', collect)
      .option('--dry-run', 'count them and delete nothing'),
  )
    .addHelpText('after', '\nWhat entities without a retention have stays. Months without it are dropped as a whole.')
    .action(async (options: PruneOptions) => {
      const { pruneHistory } = await import('./prune-history.ts');
      await pruneHistory(options, terminal);
    });
  return group;
}
