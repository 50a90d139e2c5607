import type { ResourceRole } from '../api/roles.ts';

interface Target {
  readonly target: string;
  readonly value: number;
}

/** The rights of a user, as the server says them. */
export interface GrantedRights {
  readonly authorities: readonly string[];
  /** `E:read`, 1 if it is granted. */
  readonly entities: readonly Target[];
  readonly specifics: readonly Target[];
}

/** A right with the names of the roles that give it. */
export interface RightOrigin {
  readonly name: string;
  readonly roles: readonly string[];
}

/** The operations on an entity that a user may do. */
export interface EntityRights {
  readonly entityName: string;
  /** By operation: the names of the roles that give it; without an entry it is not granted. */
  readonly by: Readonly<Record<string, readonly string[]>>;
}

/** The rights of a user with the origin of each, by the roles of the user and their child roles. */
export function effectiveRights(granted: GrantedRights, all: readonly ResourceRole[]) {
  const held = heldRoles(granted.authorities, all);
  const rolesWith = (type: string, resource: string, actions: readonly string[]): readonly string[] =>
    held
      .filter(({ policies }) =>
        policies.some(
          (each) =>
            each.type === type &&
            (each.resource === resource || each.resource === '*') &&
            actions.includes(each.action),
        ),
      )
      .map(({ name }) => name);
  const entities = new Map<string, Record<string, readonly string[]>>();
  for (const { target, value } of granted.entities) {
    const [entityName = '', action = ''] = target.split(':');
    if (value === 0) continue;
    entities.set(entityName, {
      ...entities.get(entityName),
      [action]: rolesWith('entity', entityName, [action, 'all']),
    });
  }
  return {
    entities: [...entities].map(([entityName, by]): EntityRights => ({ entityName, by })),
    specifics: granted.specifics
      .filter(({ value }) => value !== 0)
      .map(({ target }): RightOrigin => ({ name: target, roles: rolesWith('specific', target, ['access']) })),
    rowRoles: granted.authorities
      .filter((code) => code.startsWith(ROW_ROLE))
      .map((code) => code.slice(ROW_ROLE.length)),
  };
}

const ROW_ROLE = 'row_level_role:';

/** The roles with these codes, and their child roles at any depth. */
function heldRoles(codes: readonly string[], all: readonly ResourceRole[]): readonly ResourceRole[] {
  const found = new Set<ResourceRole>();
  const add = (code: string): void => {
    const role = all.find((each) => each.code === code && !each.isReplaced);
    if (role === undefined || found.has(role)) return;
    found.add(role);
    role.childRoles.forEach(add);
  };
  codes.forEach(add);
  return [...found];
}
