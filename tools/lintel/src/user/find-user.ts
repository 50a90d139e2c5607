import type { ApplicationData, Instance } from '@lintel/application';
import { ANONYMOUS } from '@lintel/contracts';
import type { AssignedRole } from '../administration/current-roles.ts';
import { CommandError } from '../command-error.ts';
import type { RoleOptions } from './user.command.ts';

/** The roles that the options `--role` and `--row-level-role` name. */
export const rolesOf = ({ role = [], rowLevelRole = [] }: RoleOptions): readonly AssignedRole[] => [
  ...role.map((roleCode) => ({ roleType: 'resource', roleCode }) as const),
  ...rowLevelRole.map((roleCode) => ({ roleType: 'row-level', roleCode }) as const),
];

const named = (username: string) => ({ conditions: [{ property: 'username', operator: '=', value: username }] });

/** The user with that name. */
export async function findUser(data: ApplicationData, username: string): Promise<Instance | undefined> {
  const [user] = await data.loadList('sec_User', { filter: named(username), fetchPlan: '_local', limit: 1 });
  return user;
}

/** @throws CommandError where there is no such user */
export async function requireUser(data: ApplicationData, username: string): Promise<Instance> {
  const user = await findUser(data, username);
  if (user !== undefined) return user;
  throw new CommandError(`There is no user ${username}`, '"lintel user list" shows the users');
}

/**
 * Requests without a token have the roles of the name "anonymous", with or without such a user.
 *
 * @throws CommandError where there is neither such a user nor the name of anonymous requests
 */
export async function requireHolder(data: ApplicationData, username: string): Promise<void> {
  if (username !== ANONYMOUS) await requireUser(data, username);
}

/** An assignment of a role, with the id of its instance. */
export interface Assignment extends AssignedRole {
  readonly id: unknown;
  readonly username: string;
}

/** The assignments of a user, or of all; by user, type and code. */
export async function loadAssignments(data: ApplicationData, username?: string): Promise<readonly Assignment[]> {
  const assignments = await data.loadList('sec_RoleAssignment', {
    ...(username !== undefined && { filter: named(username) }),
    fetchPlan: '_local',
    sort: 'username,roleType,roleCode',
  });
  return assignments.map(({ id, username: name, roleCode, roleType }) => ({
    id,
    username: String(name),
    roleCode: String(roleCode),
    roleType: roleType === 'row-level' ? 'row-level' : 'resource',
  }));
}

/** Assigns a role to the user with that name. */
export const assignRole = (data: ApplicationData, username: string, role: AssignedRole): Promise<unknown> =>
  data.create('sec_RoleAssignment', { username, ...role });
