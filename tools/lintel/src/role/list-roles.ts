import { readCurrentRoles } from '../administration/current-roles.ts';
import { formatTable } from '../administration/format-table.ts';
import { withAdministration } from '../administration/with-administration.ts';
import { type ApplicationOptions, openApplication } from '../application-context.ts';
import type { Terminal } from '../terminal.ts';
import { loadAssignments } from '../user/find-user.ts';
import { originOf } from './origin-of.ts';

interface ListedRole {
  readonly code: string;
  readonly type: 'resource' | 'row-level';
  readonly name: string;
  readonly origin: string;
  /** Of resource roles; without `API` the role does not count for the API. */
  readonly scopes: readonly string[];
  readonly users: number;
}

/** Prints all roles by type and code, and what is wrong with those of the database. */
export async function listRoles(options: ApplicationOptions, terminal: Terminal): Promise<void> {
  const context = await openApplication(options);
  const { roles, problems } = await withAdministration(context, terminal, async (administration) => {
    const registry = await readCurrentRoles(administration);
    const assignments = await loadAssignments(administration.data);
    const listed = (type: ListedRole['type'], code: string, name: string, scopes: readonly string[]): ListedRole => ({
      code,
      type,
      name,
      origin: originOf(code, context.application),
      scopes,
      users: assignments.filter(({ roleCode, roleType }) => roleCode === code && roleType === type).length,
    });
    return {
      problems: registry.problems,
      roles: [
        ...sorted(registry.resourceRoles).map(({ code, name, scopes }) => listed('resource', code, name, scopes)),
        ...sorted(registry.rowRoles).map(({ code, name }) => listed('row-level', code, name, [])),
      ],
    };
  });
  if (options.json === true) terminal.print(JSON.stringify({ roles, problems }, null, 2));
  else {
    terminal.print(formatTable(['Role', 'Type', 'Name', 'Defined by', 'Scopes', 'Users'], roles.map(cellsOf)));
    for (const problem of problems) terminal.note(problem);
  }
}

const sorted = <R extends { readonly code: string }>(roles: ReadonlyMap<string, R>): readonly R[] =>
  [...roles.values()].sort((one, other) => (one.code < other.code ? -1 : 1));

const cellsOf = ({ code, type, name, origin, scopes, users }: ListedRole): readonly string[] => [
  code,
  type,
  name,
  origin,
  scopes.join(', ') || '–',
  String(users),
];
