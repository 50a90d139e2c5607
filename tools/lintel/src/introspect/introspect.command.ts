import { Command } from 'commander';
import type { CommandContext } from '../program.ts';

export interface IntrospectOptions {
  readonly url?: string;
  readonly schema: string;
  readonly tables?: string;
  readonly out: string;
  readonly prefix?: string;
  readonly owned?: boolean;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly changes?: boolean;
  readonly watch?: boolean;
}

/** `lintel introspect` */
export const introspectCommand = ({ terminal, setExitCode }: CommandContext): Command =>
  new Command('introspect')
    .description('Write the entities of tables that are there: one file for each, and an index.')
    .option('--url <url>', 'PostgreSQL URL (svc.datasource.url)')
    .option('--schema <names>', 'schemas of the tables, with commas between them', 'public')
    .option('--tables <names>', 'only these tables, with commas between them: table or schema.table')
    .option('-o, --out <folder>', 'folder of the files', 'src/entities')
    .option('--prefix <id>', 'what names of entities begin with; the name of the first schema, for "public" app')
    .option('--owned', 'migrations of the application create and change the tables from now on')
    .option('--force', 'overwrite files that are there')
    .option('--dry-run', 'print the files and write nothing')
    .option('--changes', 'write nothing; print what has changed since: exit code 1 if something has')
    .option('--watch', 'the same, again after each change, until Ctrl-C')
    .option('--json', 'print the result as JSON')
    .action(async (options: IntrospectOptions) => {
      if (options.changes === true || options.watch === true) {
        const { reportChanges } = await import('./changes/report-changes.ts');
        const interrupted = new AbortController();
        process.once('SIGINT', () => interrupted.abort());
        setExitCode(await reportChanges(options, terminal, interrupted.signal));
        return;
      }
      const { introspect } = await import('./introspect.ts');
      await introspect(options, terminal);
    });
