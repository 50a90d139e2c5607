import { Command } from 'commander';
import type { ApplicationOptions } from '../application-context.ts';
import { handledBy } from '../handled-by.ts';
import type { CommandContext } from '../program.ts';

export interface AsyncApiOptions extends ApplicationOptions {
  readonly output?: string;
}

/** `lintel asyncapi` */
export const asyncApiCommand = (context: CommandContext): Command =>
  new Command('asyncapi')
    .description('Write the AsyncAPI 3.0 document of the events at the broker; no server has to run.')
    .option('-o, --output <file>', 'where it is written; standard output without it')
    .option('--application <module>', 'path or package of the application (svc.application); this folder without it')
    .option('--json', 'with --output: print what was written as JSON')
    .action(handledBy(context, async () => (await import('./write-asyncapi.ts')).writeAsyncApi));
