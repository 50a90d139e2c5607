import { Command } from 'commander';
import { collect, withApplication } from '../administration/application-command.ts';
import type { ApplicationOptions } from '../application-context.ts';
import { handledBy } from '../handled-by.ts';
import type { CommandContext } from '../program.ts';

export interface RetryOptions extends ApplicationOptions {
  readonly all?: boolean;
  readonly state?: readonly string[];
  readonly since?: string;
  readonly dryRun?: boolean;
}

/** `lintel webhook …` */
export function webhookCommand(context: CommandContext): Command {
  const group = new Command('webhook').description('Webhooks and their deliveries, straight in the database.');

  withApplication(
    group.command('list').description('List the webhooks, with the number of their deliveries by state.'),
  ).action(handledBy(context, async () => (await import('./list-webhooks.ts')).listWebhooks));

  withApplication(
    group
      .command('retry')
      .description('Send deliveries again that have failed, or now those that wait.')
      .argument('[names...]', 'names or ids of webhooks')
      .option('--all', 'those of all webhooks')
      .option(
        '--state <state>',
        'those that are failed, refused, skipped, delivered or pending; may be repeated',
        collect,
      )
      .option('--since <time>', 'changes from then on: 2026-11-21T10:00:00Z, or 90m, 2h, 1d ago')
      .option('--dry-run', 'count them and send nothing'),
  )
    .addHelpText(
      'after',
      '\nThe running data services send them within a second. The receiver gets the same ids again.',
    )
    .action(handledBy(context, async () => (await import('./retry-deliveries.ts')).retryDeliveries));
  return group;
}
