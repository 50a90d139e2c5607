import { Command } from 'commander';
import type { CommandContext } from '../program.ts';

/** `lintel init [folder]` */
export const initCommand = ({ terminal }: CommandContext): Command =>
  new Command('init')
    .description('Make an application in a folder: an entity, a role, a query, a service method, tests.')
    .argument('[folder]', 'where; this folder without it')
    .option('--id <id>', 'prefix of its entities, a word; from the name of the folder without it')
    .option('--name <name>', 'what people call it')
    .option('--packages <folder>', 'where "npm run pack" of a clone left the packages')
    .option('--force', 'overwrite files that are there')
    .option('--json', 'print what was made as JSON')
    .action(async (folder: string | undefined, options: InitOptions) => {
      const { init } = await import('./init.ts');
      await init(folder ?? '.', options, terminal);
    });

export interface InitOptions {
  readonly id?: string;
  readonly name?: string;
  readonly packages?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}
