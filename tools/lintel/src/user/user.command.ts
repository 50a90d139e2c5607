import { Command } from 'commander';
import { collect, withApplication } from '../administration/application-command.ts';
import type { ApplicationOptions } from '../application-context.ts';
import { handledBy } from '../handled-by.ts';
import type { CommandContext } from '../program.ts';

/** Roles that a command line names. */
export interface RoleOptions {
  readonly role?: readonly string[];
  readonly rowLevelRole?: readonly string[];
}

export interface PasswordOptions extends ApplicationOptions {
  readonly passwordFile?: string;
}

export interface AddUserOptions extends PasswordOptions, RoleOptions {
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly inactive?: boolean;
}

export interface ChangeRolesOptions extends ApplicationOptions, RoleOptions {}

export interface ListUsersOptions extends ApplicationOptions {
  readonly role?: string;
}

const PASSWORD_HELP =
  '\nWithout --password-file the password is asked for; without an interactive terminal it is read from standard input.';

/** `lintel user …` */
export function userCommand(context: CommandContext): Command {
  const group = new Command('user').description(
    'Users of the application, straight in the database: services need not run, and need not be restarted.',
  );
  const command = (name: string, description: string): Command => group.command(name).description(description);

  withApplication(
    withPasswordFile(
      withRoles(
        command('add', 'Add a user.')
          .argument('<name>', 'what the user logs in with')
          .option('--email <address>')
          .option('--first-name <name>')
          .option('--last-name <name>')
          .option('--inactive', 'the user may not log in yet'),
      ),
    ),
  ).action(handledBy(context, async () => (await import('./add-user.ts')).addUser));

  withApplication(
    command('list', 'List the users with their roles.').option('--role <code>', 'only those that have this role'),
  ).action(handledBy(context, async () => (await import('./list-users.ts')).listUsers));

  withApplication(withPasswordFile(command('passwd', 'Set the password of a user.').argument('<name>'))).action(
    handledBy(context, async () => (await import('./set-password.ts')).setPassword),
  );

  withApplication(withRoles(command('grant', 'Assign roles to a user.').argument('<name>'))).action(
    handledBy(context, async () => (await import('./change-roles.ts')).grantRoles),
  );

  withApplication(withRoles(command('revoke', 'Remove roles from a user.').argument('<name>'))).action(
    handledBy(context, async () => (await import('./change-roles.ts')).revokeRoles),
  );
  return group;
}

const withRoles = (command: Command): Command =>
  command
    .option('--role <code>', 'a resource role; may be repeated. Users of the API need rest-minimal', collect)
    .option('--row-level-role <code>', 'a row-level role; may be repeated', collect);

const withPasswordFile = (command: Command): Command =>
  command
    .option('--password-file <path>', 'a file with the password; its last line end does not count')
    .addHelpText('after', PASSWORD_HELP);
