import type { Model } from '@lintel/metadata';
import type { ResourceRole, RowLevelRole } from './role.ts';
import { readResourceRoles, readRowLevelRoles, type StoredRoles } from './stored-roles.ts';

/** All current roles: those of the application and those of the database. Replaced as a whole. */
export interface RoleRegistry {
  /** Another one for other roles. */
  readonly version: string;
  readonly resourceRoles: ReadonlyMap<string, ResourceRole>;
  readonly rowRoles: ReadonlyMap<string, RowLevelRole>;
}

/** The roles of an application, as `defineApplication` binds them. */
export interface ApplicationRoles {
  readonly model: Model;
  readonly resourceRoles: ReadonlyMap<string, ResourceRole>;
  readonly rowRoles: ReadonlyMap<string, RowLevelRole>;
}

/** The application's own roles, before or without a database. */
export const applicationRoles = ({ resourceRoles, rowRoles }: ApplicationRoles): RoleRegistry => ({
  version: '',
  resourceRoles,
  rowRoles,
});

/**
 * Reads the rows of the view `sec.role_snapshot`: the roles of the application and of the database together. If both
 * have a code, the resource role of the application is used; of row-level roles, the policies of both apply. So a role
 * of the database can never extend what the code of the application allows. The registry stays the same object as long
 * as the roles are the same, so that decisions made from it can be cached.
 *
 * @returns a function whose `onProblem` is called with each stored role or policy that cannot be used
 */
export function roleReader(
  application: ApplicationRoles,
): (
  snapshot: { readonly version: string; readonly body: unknown },
  onProblem: (problem: string) => void,
) => RoleRegistry {
  let last: RoleRegistry | undefined;
  return ({ version, body }, onProblem) => {
    if (last?.version !== version) last = mergeRoles(application, version, body as StoredRoles, onProblem);
    return last;
  };
}

function mergeRoles(
  { model, resourceRoles, rowRoles }: ApplicationRoles,
  version: string,
  stored: StoredRoles,
  onProblem: (problem: string) => void,
): RoleRegistry {
  const resource = readResourceRoles(model, stored.resourceRoles);
  const rows = readRowLevelRoles(model, stored.rowLevelRoles);
  const taken = [
    ...resource.roles
      .filter(({ code }) => resourceRoles.has(code))
      .map(({ code }) => `Role ${code} of the database does not count: the application has one with that code`),
    ...rows.roles
      .filter(({ code }) => rowRoles.has(code))
      .map(({ code }) => `Row-level role ${code} is in the application and in the database: the policies of both hold`),
  ];
  for (const problem of [...resource.problems, ...rows.problems, ...taken]) onProblem(problem);
  return Object.freeze({
    version,
    resourceRoles: new Map([...byCode(resource.roles), ...resourceRoles]),
    rowRoles: joinRowRoles(rowRoles, rows),
  });
}

function joinRowRoles(
  own: ApplicationRoles['rowRoles'],
  { roles, unusable }: ReturnType<typeof readRowLevelRoles>,
): ReadonlyMap<string, RowLevelRole> {
  const joined = new Map([...own].filter(([code]) => !unusable.has(code)));
  for (const role of roles) {
    const known = own.get(role.code);
    joined.set(role.code, known === undefined ? role : { ...known, policies: [...known.policies, ...role.policies] });
  }
  return joined;
}

const byCode = <R extends { readonly code: string }>(roles: readonly R[]): readonly (readonly [string, R])[] =>
  roles.map((role) => [role.code, role]);
