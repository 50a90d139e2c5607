import { Command } from 'commander';
import { withApplication } from '../administration/application-command.ts';
import type { ApplicationOptions } from '../application-context.ts';
import type { CommandContext } from '../program.ts';

export interface RoleCommandOptions extends ApplicationOptions {
  readonly json?: boolean;
}

/** `lintel role …` */
export function roleCommand({ terminal, setExitCode }: CommandContext): Command {
  const group = new Command('role').description('Roles of the application and of its database, and what they grant.');

  withApplication(group.command('list').description('List the roles, and how many users have each.')).action(
    async (options: RoleCommandOptions) => {
      const { listRoles } = await import('./list-roles.ts');
      await listRoles(options, terminal);
    },
  );

  withApplication(
    group.command('show').description('Show the policies of a role in words.').argument('<code>', 'code of the role'),
  ).action(async (code: string, options: RoleCommandOptions) => {
    const { showRole } = await import('./show-role.ts');
    await showRole(code, options, terminal);
  });

  withApplication(
    group
      .command('explain')
      .description('Show which roles give a user a right, or that none does; exit code 1 if a right is missing.')
      .argument('<user>', 'user name; "anonymous" for requests without a token')
      .argument('<subject>', 'sales_Order, sales_Order.number or a specific permission such as rest.enabled')
      .argument('[action]', 'create, read, update or delete; view or modify of an attribute; all of them without it'),
  ).action(async (user: string, subject: string, action: string | undefined, options: RoleCommandOptions) => {
    const { explainRights } = await import('./explain-rights.ts');
    setExitCode(await explainRights({ user, subject, action }, options, terminal));
  });
  return group;
}
