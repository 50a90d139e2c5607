import type { Instance } from '@lintel/application';
import { formatTable } from '../administration/format-table.ts';
import { withAdministration } from '../administration/with-administration.ts';
import { openApplication } from '../application-context.ts';
import type { Terminal } from '../terminal.ts';
import { loadAssignments } from './find-user.ts';
import type { ListUsersOptions } from './user.command.ts';

interface ListedUser {
  readonly username: string;
  readonly active: boolean;
  readonly email: string | null;
  /** First and last name. */
  readonly name: string | null;
  readonly roles: readonly string[];
  readonly rowLevelRoles: readonly string[];
}

/** Prints the users with their roles, by name. */
export async function listUsers(options: ListUsersOptions, terminal: Terminal): Promise<void> {
  const context = await openApplication(options);
  const users = await withAdministration(context, terminal, async ({ data }) => {
    const assignments = await loadAssignments(data);
    const codesOf = (username: unknown, type: string): readonly string[] =>
      assignments
        .filter((each) => each.username === username && each.roleType === type)
        .map(({ roleCode }) => roleCode);
    return (await data.loadList('sec_User', { fetchPlan: '_local', sort: 'username' })).map((user) => ({
      ...personOf(user),
      roles: codesOf(user['username'], 'resource'),
      rowLevelRoles: codesOf(user['username'], 'row-level'),
    }));
  });
  const { role } = options;
  const listed = users.filter((user) => role === undefined || [...user.roles, ...user.rowLevelRoles].includes(role));
  if (options.json === true) terminal.print(JSON.stringify(listed, null, 2));
  else if (listed.length === 0)
    terminal.print(role === undefined ? 'There are no users.' : `No user has the role ${role}.`);
  else terminal.print(formatTable(['User', 'Active', 'Name', 'Roles', 'Row-level roles'], listed.map(cellsOf)));
}

const personOf = (user: Instance): Omit<ListedUser, 'roles' | 'rowLevelRoles'> => ({
  username: String(user['username']),
  active: user['active'] === true,
  email: textOf(user['email']),
  name: textOf([user['firstName'], user['lastName']].filter(Boolean).join(' ')),
});

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const cellsOf = (user: ListedUser): readonly string[] => [
  user.username,
  user.active ? 'yes' : 'no',
  user.name ?? user.email ?? '–',
  user.roles.join(', ') || '–',
  user.rowLevelRoles.join(', ') || '–',
];
