import { Argument, Command, Option } from 'commander';
import { handledBy } from '../handled-by.ts';
import type { CommandContext } from '../program.ts';
import type { ConfigMode } from './report-config.ts';
import type { ServiceName } from './service-shapes.ts';

export interface PrintConfigOptions {
  readonly application?: string;
  readonly mode?: ConfigMode;
  readonly json?: boolean;
}

const SERVICES: readonly ServiceName[] = ['data', 'auth', 'files', 'reports', 'gateway'];

/** `lintel config …` */
export function configCommand(context: CommandContext): Command {
  const group = new Command('config').description('Configuration of the services.');
  group
    .command('print')
    .description('Print each property with its value and its source, without secrets; exit code 1 if it is not valid.')
    .addArgument(new Argument('[service]', 'only what this service reads').choices(SERVICES))
    .addOption(
      new Option(
        '--mode <mode>',
        'one process, or five; five without it where Redis or a broker is configured',
      ).choices(['standalone', 'services']),
    )
    .option('--application <module>', 'path or package of the application (svc.application); this folder without it')
    .option('--json', 'print the report as JSON, in one line')
    .action(handledBy(context, async () => (await import('./print-config.ts')).printConfig));
  group
    .command('hash')
    .description('Print the hash of the secret of a client, which is asked for or read from standard input.')
    .action(async () => {
      const { printHash } = await import('./print-hash.ts');
      await printHash(context.terminal);
    });
  return group;
}
