import { type AssignedRole, assertRoles, readCurrentRoles } from '../administration/current-roles.ts';
import { explainingRefusals } from '../administration/refusals.ts';
import { withAdministration } from '../administration/with-administration.ts';
import { openApplication } from '../application-context.ts';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { type Assignment, assignRole, loadAssignments, requireHolder, rolesOf } from './find-user.ts';
import type { ChangeRolesOptions } from './user.command.ts';

/**
 * Assigns roles to a user, in one transaction. Roles that the user has already are left as they are.
 *
 * @throws CommandError where the user or a role does not exist; nothing is written then
 */
export async function grantRoles(username: string, options: ChangeRolesOptions, terminal: Terminal): Promise<void> {
  const roles = requireRoles(options);
  const context = await openApplication(options);
  const granted = await withAdministration(context, terminal, async (administration) => {
    const { data } = administration;
    await requireHolder(data, username);
    assertRoles(await readCurrentRoles(administration), roles);
    const assigned = await loadAssignments(data, username);
    const missing = roles.filter((role) => !assigned.some((each) => isSame(each, role)));
    await explainingRefusals('The assignment', () =>
      data.inTransaction(async (within) => {
        for (const role of missing) await assignRole(within, username, role);
      }),
    );
    return missing;
  });
  const codes = codesOf(granted);
  if (options.json === true) terminal.print(JSON.stringify({ username, granted: codes }, null, 2));
  else
    terminal.print(
      codes.length === 0 ? `${username} has these roles already.` : `Granted ${codes.join(', ')} to ${username}.`,
    );
}

/**
 * Removes assignments of roles, in one transaction. The roles themselves may no longer exist.
 *
 * @throws CommandError where the user does not exist or does not have one of the roles; nothing is written then
 */
export async function revokeRoles(username: string, options: ChangeRolesOptions, terminal: Terminal): Promise<void> {
  const roles = requireRoles(options);
  const context = await openApplication(options);
  await withAdministration(context, terminal, async ({ data }) => {
    await requireHolder(data, username);
    const assigned = await loadAssignments(data, username);
    const missing = roles.filter((role) => !assigned.some((each) => isSame(each, role)));
    if (missing.length > 0)
      throw new CommandError(`${username} does not have ${describe(missing)}`, remedyFor(username, assigned));
    await data.inTransaction(async (within) => {
      for (const { id, ...assignment } of assigned)
        if (roles.some((role) => isSame(assignment, role))) await within.remove('sec_RoleAssignment', id);
    });
  });
  const codes = codesOf(roles);
  if (options.json === true) terminal.print(JSON.stringify({ username, revoked: codes }, null, 2));
  else terminal.print(`Revoked ${codes.join(', ')} from ${username}.`);
}

function requireRoles(options: ChangeRolesOptions): readonly AssignedRole[] {
  const roles = rolesOf(options);
  if (roles.length > 0) return roles;
  throw new CommandError('No role is named', 'Name one with --role or --row-level-role');
}

const isSame = (one: AssignedRole, other: AssignedRole): boolean =>
  one.roleType === other.roleType && one.roleCode === other.roleCode;

const codesOf = (roles: readonly AssignedRole[]): readonly string[] => roles.map(({ roleCode }) => roleCode);

const describe = (roles: readonly AssignedRole[]): string =>
  roles.map(({ roleType, roleCode }) => `the ${roleType} role ${roleCode}`).join(' and ');

const remedyFor = (username: string, assigned: readonly Assignment[]): string =>
  assigned.length === 0 ? `${username} has no roles` : `${username} has ${describe(assigned)}`;
