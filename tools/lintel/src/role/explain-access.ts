import { type ResourceRole, type RoleRegistry, unknownRowRoles } from '@lintel/security';
import type { AssignedRole } from '../administration/current-roles.ts';
import { describePolicy, describeRowPolicy } from './describe-policy.ts';
import { describeRight, grantsOf, type Right } from './rights.ts';

/** Why a user has a right, or does not have it. */
export interface ExplainedRight {
  readonly right: string;
  readonly granted: boolean;
  /** The policies that grant it; `path` leads from the user's role over child roles to the role of the policy. */
  readonly by: readonly { readonly path: readonly string[]; readonly policy: string }[];
  /** Where it is not granted: the roles that would, and that count for the API. */
  readonly roles: readonly string[];
}

export interface ExplainedAccess {
  /** Assigned roles that have no effect, and why. */
  readonly ineffective: readonly { readonly role: string; readonly reason: string }[];
  readonly rights: readonly ExplainedRight[];
  /** Rules that limit the rows of the entity. */
  readonly rows: readonly { readonly role: string; readonly rule: string }[];
}

/** The entities whose policies are about an entity, with the compositions between them (`decidingEntities`). */
export type DecidingEntities = (entity: string) => ReadonlyMap<string, readonly string[]>;

/**
 * Explains rights of the holder of roles by the rules of `buildAccess` (contract/roles.md#combination).
 *
 * @param holder `isAnonymous`: roles count without the scope `API`
 */
export function explainAccess(
  holder: { readonly isAnonymous: boolean; readonly roles: readonly AssignedRole[] },
  rights: readonly Right[],
  registry: RoleRegistry,
  deciding: DecidingEntities,
): ExplainedAccess {
  const counts = (role: ResourceRole): boolean => holder.isAnonymous || role.scopes.includes('API');
  const codes = codesOf(holder.roles, 'resource');
  const effective = codes.flatMap((code) => {
    const role = registry.resourceRoles.get(code);
    return role !== undefined && counts(role) ? [role] : [];
  });
  const rowCodes = codesOf(holder.roles, 'row-level');
  return {
    ineffective: codes.flatMap((code) => {
      const role = registry.resourceRoles.get(code);
      if (role === undefined) return [{ role: code, reason: 'there is no such role, so it grants nothing' }];
      return counts(role) ? [] : [{ role: code, reason: 'it has no scope API, so it does not count for the API' }];
    }),
    rights: rights.map((right) => {
      const by = effective.flatMap((role) => grantsOf(role, right, registry));
      const others = [...registry.resourceRoles.values()].filter(counts);
      return {
        right: describeRight(right),
        granted: by.length > 0,
        by: by.map(({ path, policy }) => ({ path, policy: describePolicy(policy) })),
        roles:
          by.length > 0
            ? []
            : others
                .filter((role) => grantsOf(role, right, registry).length > 0)
                .map(({ code }) => code)
                .sort(),
      };
    }),
    rows: [
      ...unknownRowRoles(rowCodes, registry).map((role) => ({
        role,
        rule: 'there is no such row-level role, so the user sees no rows',
      })),
      ...rowCodes.flatMap((code) => rulesOf(code, rights, registry, deciding)),
    ],
  };
}

const codesOf = (roles: readonly AssignedRole[], type: AssignedRole['roleType']): readonly string[] =>
  roles.filter(({ roleType }) => roleType === type).map(({ roleCode }) => roleCode);

function rulesOf(
  code: string,
  rights: readonly Right[],
  { rowRoles }: RoleRegistry,
  deciding: DecidingEntities,
): ExplainedAccess['rows'] {
  const entities = new Set(rights.flatMap((right) => (right.kind === 'specific' ? [] : [right.entity])));
  const through = new Map([...entities].flatMap((entity) => [...deciding(entity)]));
  return (rowRoles.get(code)?.policies ?? []).flatMap((policy) => {
    const compositions = through.get(policy.entity);
    if (compositions === undefined) return [];
    const children = compositions.length === 0 ? '' : `, and their children (${compositions.join(', ')})`;
    return [{ role: code, rule: `${describeRowPolicy(policy)}${children}` }];
  });
}
