import { Command } from 'commander';
import type { ApplicationOptions } from '../application-context.ts';
import type { CommandContext } from '../program.ts';

export interface AddUserOptions extends ApplicationOptions {
  readonly role?: readonly string[];
  readonly rowLevelRole?: readonly string[];
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly passwordFile?: string;
  readonly inactive?: boolean;
  readonly json?: boolean;
}

const collect = (value: string, all: readonly string[] = []): readonly string[] => [...all, value];

/** `lintel user …` */
export function userCommand({ terminal }: CommandContext): Command {
  const group = new Command('user').description('Users of the application.');
  group
    .command('add')
    .description('Add a user, straight into the database: services need not run, and need not be restarted.')
    .argument('<name>', 'what the user logs in with')
    .option('--role <code>', 'a resource role; may be repeated. Users of the API need rest-minimal', collect)
    .option('--row-level-role <code>', 'a row-level role; may be repeated', collect)
    .option('--email <address>')
    .option('--first-name <name>')
    .option('--last-name <name>')
    .option('--inactive', 'the user may not log in yet')
    .option('--password-file <path>', 'where the password stands, without its last line end')
    .option('--application <module>', 'path or package of the application (svc.application); this folder without it')
    .option('--url <url>', 'PostgreSQL URL (svc.datasource.url); the database of this folder without it')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nWithout --password-file the password is asked for; without an interactive terminal it is read from standard input.',
    )
    .action(async (name: string, options: AddUserOptions) => {
      const { addUser } = await import('./add-user.ts');
      await addUser(name, options, terminal);
    });
  return group;
}
