import { Command } from 'commander';
import type { ApplicationOptions } from '../application-context.ts';
import type { CommandContext } from '../program.ts';

export interface AsyncApiOptions extends Pick<ApplicationOptions, 'application'> {
  readonly output?: string;
  readonly json?: boolean;
}

/** `lintel asyncapi` */
export const asyncApiCommand = ({ terminal }: CommandContext): Command =>
  new Command('asyncapi')
    .description('Write the AsyncAPI 3.0 document of the events at the broker; no server has to run.')
    .option('-o, --output <file>', 'where it is written; standard output without it')
    .option('--application <module>', 'path or package of the application (svc.application); this folder without it')
    .option('--json', 'with --output: print what was written as JSON')
    .action(async (options: AsyncApiOptions) => {
      const { writeAsyncApi } = await import('./write-asyncapi.ts');
      await writeAsyncApi(options, terminal);
    });
