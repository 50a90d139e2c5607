import { Command } from 'commander';
import { withApplication } from '../administration/application-command.ts';
import type { ApplicationOptions } from '../application-context.ts';
import type { CommandContext } from '../program.ts';

export interface ListWebhooksOptions extends ApplicationOptions {
  readonly json?: boolean;
}

export interface RetryOptions extends ApplicationOptions {
  readonly all?: boolean;
  readonly state?: readonly string[];
  readonly since?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const collect = (value: string, all: readonly string[] = []): readonly string[] => [...all, value];

/** `lintel webhook …` */
export function webhookCommand({ terminal }: CommandContext): Command {
  const group = new Command('webhook').description('Webhooks and their deliveries, straight in the database.');

  withApplication(
    group.command('list').description('List the webhooks, with the number of their deliveries by state.'),
  ).action(async (options: ListWebhooksOptions) => {
    const { listWebhooks } = await import('./list-webhooks.ts');
    await listWebhooks(options, terminal);
  });

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
    .action(async (names: readonly string[], options: RetryOptions) => {
      const { retryDeliveries } = await import('./retry-deliveries.ts');
      await retryDeliveries(names, options, terminal);
    });
  return group;
}
