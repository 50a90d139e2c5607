import { Command } from 'commander';
import { handledBy } from '../handled-by.ts';
import type { CommandContext } from '../program.ts';

export interface ServeOptions {
  readonly url?: string;
  readonly schema: string;
  readonly tables?: string;
  readonly prefix?: string;
  readonly write?: boolean;
  readonly force?: boolean;
}

/** `lintel serve` */
export const serveCommand = (context: CommandContext): Command =>
  new Command('serve')
    .description('Serve the tables of an existing database: writes an application for them, and starts it.')
    .argument('[folder]', 'folder of the application', '.')
    .option('--url <url>', 'PostgreSQL URL of the database (SVC_DATASOURCE_URL)')
    .option('--schema <names>', 'schemas of the tables, with commas between them', 'public')
    .option('--tables <names>', 'only these tables, with commas between them: table or schema.table')
    .option('--prefix <id>', 'what names of entities begin with; the name of the first schema, for "public" app')
    .option('--write', 'let clients write, too; creates the schemas of the platform in the database')
    .option('--force', 'write the application again, over files that are there')
    .addHelpText(
      'after',
      '\nWithout --write nothing is created or changed in the database, and a login that may only read is enough:\nusers, roles and tokens are in a database of its own, in .lintel of the folder. PORT (8080) is a variable.',
    )
    .action(handledBy(context, async () => (await import('./serve.ts')).serve));
