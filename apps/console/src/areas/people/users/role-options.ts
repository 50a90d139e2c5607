import type { Text } from '../../../context.ts';
import type { Roles } from '../api/roles.ts';

type RoleType = 'resource' | 'row-level';

/** The roles as options of a select, by their kinds; the value of each has the kind and the code. */
export const roleOptions = (roles: Roles, text: Text, without: ReadonlySet<string> = new Set()) => [
  { group: text('roles.resource'), items: itemsOf(roles.resourceRoles, 'resource', without) },
  { group: text('roles.rowLevel'), items: itemsOf(roles.rowLevelRoles, 'row-level', without) },
];

/** The attributes of an assignment for the value of an option. */
export function assignmentOf(value: string): { readonly roleType: string; readonly roleCode: string } {
  const [roleType = '', ...code] = value.split('/');
  return { roleType, roleCode: code.join('/') };
}

const itemsOf = (
  roles: Roles['resourceRoles'] | Roles['rowLevelRoles'],
  type: RoleType,
  without: ReadonlySet<string>,
) =>
  [...new Map(roles.map(({ code, name }) => [code, name]))]
    .map(([code, name]) => ({ value: `${type}/${code}`, label: `${name} (${code})` }))
    .filter(({ value }) => !without.has(value));
