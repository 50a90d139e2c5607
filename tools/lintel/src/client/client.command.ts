import { Command } from 'commander';
import type { ApplicationOptions } from '../application-context.ts';
import { handledBy } from '../handled-by.ts';
import type { CommandContext } from '../program.ts';

export interface ClientOptions extends ApplicationOptions {
  readonly output: string;
}

/** `lintel client` */
export const clientCommand = (context: CommandContext): Command =>
  new Command('client')
    .description(
      'Write a typed client for @lintel/client: entities, fetch plans, queries and services of the application.',
    )
    .option('-o, --output <folder>', 'folder of its file index.ts, which is overwritten', 'client')
    .option('--application <module>', 'path or package of the application (svc.application); this folder without it')
    .option('--json', 'print what was written as JSON')
    .action(handledBy(context, async () => (await import('./write-client.ts')).writeClient));
