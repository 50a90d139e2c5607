import { Command } from 'commander';
import { withApplication } from '../administration/application-command.ts';
import type { ApplicationOptions } from '../application-context.ts';
import { handledBy } from '../handled-by.ts';
import type { CommandContext } from '../program.ts';

/** `lintel role …` */
export function roleCommand(context: CommandContext): Command {
  const group = new Command('role').description('Roles of the application and of its database, and what they grant.');

  withApplication(group.command('list').description('List the roles, and how many users have each.')).action(
    handledBy(context, async () => (await import('./list-roles.ts')).listRoles),
  );

  withApplication(
    group.command('show').description('Show the policies of a role in words.').argument('<code>', 'code of the role'),
  ).action(handledBy(context, async () => (await import('./show-role.ts')).showRole));

  withApplication(
    group
      .command('explain')
      .description('Show which roles give a user a right, or that none does; exit code 1 if a right is missing.')
      .argument('<user>', 'user name; "anonymous" for requests without a token')
      .argument('<subject>', 'sales_Order, sales_Order.number or a specific permission such as rest.enabled')
      .argument('[action]', 'create, read, update or delete; view or modify of an attribute; all of them without it'),
  ).action(async (user: string, subject: string, action: string | undefined, options: ApplicationOptions) => {
    const { explainRights } = await import('./explain-rights.ts');
    context.setExitCode(await explainRights({ user, subject, action }, options, context.terminal));
  });
  return group;
}
