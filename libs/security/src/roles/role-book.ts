import type { Model } from '@lintel/metadata';
import type { ResourceRole, RowLevelRole } from './role.ts';
import { readResourceRoles, readRowLevelRoles, type StoredRoles } from './stored-roles.ts';

/** All roles of this moment: those of the application and those of the database. Replaced as a whole. */
export interface RoleBook {
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
export const applicationRoles = ({ resourceRoles, rowRoles }: ApplicationRoles): RoleBook => ({
  version: '',
  resourceRoles,
  rowRoles,
});

/**
 * Reads what the view `sec.role_snapshot` answers: the roles of the application and of the database
 * together. Where a code is in both, the application's role counts: a role of the database can never widen
 * what the code of the application says. The book stays the same object as long as the roles are the same,
 * so that decisions made from it can be kept.
 *
 * @param onProblem told what cannot be used of the stored roles
 */
export function roleReader(
  application: ApplicationRoles,
  onProblem: (problem: string) => void,
): (snapshot: { readonly version: string; readonly body: unknown }) => RoleBook {
  let last: RoleBook | undefined;
  return ({ version, body }) => {
    if (last?.version !== version) last = mergeRoles(application, version, body as StoredRoles, onProblem);
    return last;
  };
}

function mergeRoles(
  { model, resourceRoles, rowRoles }: ApplicationRoles,
  version: string,
  stored: StoredRoles,
  onProblem: (problem: string) => void,
): RoleBook {
  const resource = readResourceRoles(model, stored.resourceRoles);
  const rows = readRowLevelRoles(model, stored.rowLevelRoles);
  const taken = [
    ...resource.roles.filter(({ code }) => resourceRoles.has(code)),
    ...rows.roles.filter(({ code }) => rowRoles.has(code)),
  ].map(({ code }) => `Role ${code} of the database does not count: the application has one with that code`);
  for (const problem of [...resource.problems, ...rows.problems, ...taken]) onProblem(problem);
  return Object.freeze({
    version,
    resourceRoles: new Map([...byCode(resource.roles), ...resourceRoles]),
    rowRoles: new Map([...byCode(rows.roles), ...rowRoles]),
  });
}

const byCode = <R extends { readonly code: string }>(roles: readonly R[]): readonly (readonly [string, R])[] =>
  roles.map((role) => [role.code, role]);
