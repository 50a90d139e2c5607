import type { Documents } from '@lintel/openapi';
import { Command, Option } from 'commander';
import type { ApplicationOptions } from '../application-context.ts';
import { handledBy } from '../handled-by.ts';
import type { CommandContext } from '../program.ts';

export interface OpenApiOptions extends ApplicationOptions {
  readonly generic?: boolean;
  readonly format: 'json' | 'yaml';
  readonly openapi: keyof Documents['openapi'];
  readonly locale?: string;
  readonly from?: string;
  readonly tokenFile?: string;
  readonly output?: string;
}

/** `lintel openapi` */
export const openApiCommand = (context: CommandContext): Command =>
  new Command('openapi')
    .description('Write the OpenAPI document of the application; no server has to run.')
    .option('--generic', 'the API of any application, without its entities, queries and services')
    .addOption(new Option('--format <format>', 'json or yaml').choices(['json', 'yaml']).default('json'))
    .addOption(new Option('--openapi <version>', 'version of OpenAPI').choices(['3.1', '3.0']).default('3.1'))
    .option('--locale <locale>', 'language of captions')
    .option('-o, --output <file>', 'where it is written; standard output without it')
    .option('--application <module>', 'path or package of the application (svc.application); this folder without it')
    .option('--from <url>', 'ask a running server instead, which also knows dynamic attributes')
    .option('--token-file <path>', 'with --from: where the access token stands')
    .option('--json', 'with --output: print what was written as JSON')
    .action(handledBy(context, async () => (await import('./write-openapi.ts')).writeOpenApi));
