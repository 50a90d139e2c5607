import type { ApplicationData } from '@lintel/application';
import { type AssignedRole, assertRoles, readCurrentRoles } from '../administration/current-roles.ts';
import { explainingRefusals } from '../administration/refusals.ts';
import { withAdministration } from '../administration/with-administration.ts';
import { openApplication } from '../application-context.ts';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { assignRole, findUser, rolesOf } from './find-user.ts';
import { readPassword } from './read-password.ts';
import type { AddUserOptions } from './user.command.ts';

/**
 * Adds a user with roles, in one transaction. The services hear of it by the outbox.
 *
 * @throws CommandError where the name is taken, a value is not valid or a role does not exist; nothing is written then
 */
export async function addUser(username: string, options: AddUserOptions, terminal: Terminal): Promise<void> {
  const context = await openApplication(options);
  const roles = rolesOf(options);
  const password = await readPassword(`Password of ${username}`, options.passwordFile, terminal);
  const id = await withAdministration(context, terminal, async (administration) => {
    assertRoles(await readCurrentRoles(administration), roles);
    const values = {
      username,
      password,
      active: options.inactive !== true,
      ...(options.email !== undefined && { email: options.email }),
      ...(options.firstName !== undefined && { firstName: options.firstName }),
      ...(options.lastName !== undefined && { lastName: options.lastName }),
    };
    return terminal.during(`Adding ${username}`, () => create(administration.data, values, roles));
  });
  const codes = roles.map(({ roleCode }) => roleCode);
  if (options.json === true) terminal.print(JSON.stringify({ id, username, roles: codes }, null, 2));
  else
    terminal.print(`Added the user ${username}${codes.length === 0 ? ' without roles' : ` with ${codes.join(', ')}`}.`);
}

async function create(
  data: ApplicationData,
  values: Readonly<Record<string, unknown>> & { readonly username: string },
  roles: readonly AssignedRole[],
): Promise<unknown> {
  const { username } = values;
  if ((await findUser(data, username)) !== undefined)
    throw new CommandError(`There is a user ${username} already`, 'Choose another name');
  return explainingRefusals('The user', () =>
    data.inTransaction(async (within) => {
      const id = await within.create('sec_User', values);
      for (const role of roles) await assignRole(within, username, role);
      return id;
    }),
  );
}
