import { Command } from 'commander';
import { collect, withApplication } from '../administration/application-command.ts';
import type { ApplicationOptions } from '../application-context.ts';
import { handledBy } from '../handled-by.ts';
import { type ServerOptions, withServer } from '../login/login.command.ts';
import type { CommandContext } from '../program.ts';

export interface PruneOptions extends ApplicationOptions {
  readonly olderThan?: string;
  readonly entity?: readonly string[];
  readonly dryRun?: boolean;
}

/** Options of the commands that ask a server. */
export interface ReadOptions extends ServerOptions {
  readonly limit?: string;
  readonly user?: string;
  readonly from?: string;
  readonly to?: string;
}

export interface UndoOptions extends ServerOptions {
  readonly reason?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** `lintel history …` */
export function historyCommand(context: CommandContext): Command {
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
    .action(handledBy(context, async () => (await import('./prune-history.ts')).runPrune));
  withServer(
    group
      .command('show')
      .description('Show the recorded changes of an instance, the newest first.')
      .argument('<entity>', 'name of the entity, such as sales_Customer')
      .argument('<id>', 'id of the instance')
      .option('--limit <number>', 'changes at most, up to 100', '20')
      .option('--user <name>', 'changes of this user alone')
      .option('--from <time>', 'changes since this time: 2026-11-21T10:00:00Z, or 12h, 90d ago')
      .option('--to <time>', 'changes before this time'),
  ).action(handledBy(context, async () => (await import('./read-history.ts')).showHistory));
  withServer(
    group
      .command('diff')
      .description('Show what differs in an instance between two points in time.')
      .argument('<entity>', 'name of the entity, such as sales_Customer')
      .argument('<id>', 'id of the instance')
      .requiredOption('--from <time>', 'the first point in time: 2026-11-21T10:00:00Z, or 12h, 90d ago')
      .option('--to <time>', 'the second one; now by default'),
  ).action(handledBy(context, async () => (await import('./read-history.ts')).showDifference));
  withServer(
    group
      .command('undo')
      .description('Take back everything that one change has written.')
      .argument('<change>', 'id of the change, as "lintel history show" has it')
      .option('--reason <text>', 'recorded with the change')
      .option('--dry-run', 'show what would change, and change nothing')
      .option('--yes', 'do not ask'),
  ).action(handledBy(context, async () => (await import('./undo-change.ts')).undoChange));
  return group;
}
