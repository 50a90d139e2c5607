import { Command } from 'commander';
import type { CommandContext } from '../program.ts';

export interface IntrospectOptions {
  readonly url?: string;
  readonly schema: string;
  readonly tables?: string;
  readonly out: string;
  readonly prefix?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `lintel introspect` */
export const introspectCommand = ({ terminal }: CommandContext): Command =>
  new Command('introspect')
    .description('Write the entities of tables that are there: one file for each, and an index.')
    .option('--url <url>', 'PostgreSQL URL (svc.datasource.url)')
    .option('--schema <name>', 'schema of the tables', 'public')
    .option('--tables <names>', 'only these tables, with commas between them')
    .option('-o, --out <folder>', 'folder of the files', 'src/entities')
    .option('--prefix <id>', 'what names of entities begin with; the name of the schema, for "public" app')
    .option('--force', 'overwrite files that are there')
    .option('--dry-run', 'print the files and write nothing')
    .option('--json', 'print the result as JSON')
    .action(async (options: IntrospectOptions) => {
      const { introspect } = await import('./introspect.ts');
      await introspect(options, terminal);
    });
