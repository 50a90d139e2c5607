import { PlatformError } from '@lintel/errors';
import type { ResourcePolicy, RowPolicy } from '../roles/role.ts';
import type { RoleRegistry } from '../roles/role-registry.ts';
import type { Access } from './access.ts';
import { strongestAccess } from './access-after.ts';
import type { AccessOf, RoleHolder } from './access-directory.ts';
import { assertStrongLogin } from './assert-strong-login.ts';
import { buildAccess, collectPolicies } from './build-access.ts';
import { exceedingPolicies } from './exceeding-policies.ts';

/** Codes of the roles of a user, client or key. */
export interface HeldRoles {
  readonly resourceRoles: readonly string[];
  readonly rowLevelRoles: readonly string[];
  /** All roles of requests without a token count, whatever their scopes are. */
  readonly isAnonymous?: boolean;
}

/** A caller who changes the rights of others, or acts on other users. */
export type Delegator = RoleHolder & Pick<HeldRoles, 'rowLevelRoles'>;

/**
 * The ceiling of what administrators may change (`svc.security.delegation=bounded`): nobody gives rights that he does
 * not have, and nobody acts on a user who has more.
 */
export interface Delegation {
  /**
   * Asserts that the caller has every right of the holder of some roles.
   *
   * @param roles the roles as they are for the check; without them the current ones
   * @throws PlatformError ACCESS_DENIED naming the missing policies, AUTH_STEP_UP_REQUIRED if a stronger login has them
   */
  assertCovers(caller: Delegator, held: HeldRoles, roles?: RoleRegistry): void;
  /** The same for everything that resource roles contain, whatever their scopes are: another role may include them. */
  assertCoversRoles(caller: Delegator, codes: readonly string[], roles: RoleRegistry): void;
  /** Asserts that no row-level role restricts the caller, who also has the rights on which the given ones have rules. */
  assertCoversRowRoles(caller: Delegator, codes: readonly string[], roles: RoleRegistry): void;
}

export function createDelegation(currentRoles: () => RoleRegistry, accessOf: AccessOf): Delegation {
  /** With the roles of every scope, which programs other than the API use. */
  const accessOfEveryScope = ({ resourceRoles }: Delegator): Access =>
    strongestAccess(buildAccess(resourceRoles, currentRoles().resourceRoles, { requireApiScope: false }));

  return {
    assertCovers(caller, held, roles = currentRoles()) {
      const { resourceRoles } = roles;
      const exceeding = (access: Access) =>
        exceedingPolicies(held.resourceRoles, resourceRoles, access, { requireApiScope: held.isAnonymous !== true });
      assertNoneMissing(caller, accessOf(caller), exceeding);
      const anyScope = { requireApiScope: false };
      refuse(exceedingPolicies(held.resourceRoles, resourceRoles, accessOfEveryScope(caller), anyScope));
      if (collectPolicies(held.resourceRoles, resourceRoles, anyScope).length > 0)
        assertUnrestricted(
          caller.rowLevelRoles.filter(
            (code) => !held.rowLevelRoles.includes(code) || roles.rowRoles.get(code)?.policies.some(dependsOnUser),
          ),
        );
    },
    assertCoversRoles(caller, codes, { resourceRoles }) {
      assertUnrestricted(caller.rowLevelRoles);
      assertNoneMissing(caller, accessOf(caller), (access) =>
        exceedingPolicies(codes, resourceRoles, access, { requireApiScope: false }),
      );
    },
    assertCoversRowRoles(caller, codes, { rowRoles }) {
      assertUnrestricted(caller.rowLevelRoles);
      const ruled = codes
        .flatMap((code) => rowRoles.get(code)?.policies ?? [])
        .map(({ entity, actions = ['read'] }): ResourcePolicy => ({ kind: 'entity', entity, actions }));
      assertNoneMissing(caller, accessOf(caller), (access) =>
        ruled.filter(
          (policy) =>
            policy.kind === 'entity' && policy.actions.some((action) => !access.allows(policy.entity, action)),
        ),
      );
    },
  };
}

/** A stronger login of the caller may have what this one lacks. */
function assertNoneMissing(
  caller: Delegator,
  access: Access,
  exceeding: (access: Access) => readonly ResourcePolicy[],
): void {
  const missing = exceeding(access);
  if (missing.length === 0) return;
  if (caller.kind === 'user') assertStrongLogin(access, (stronger) => exceeding(stronger).length === 0);
  refuse(missing);
}

const MAX_NAMED = 10;

function refuse(missing: readonly ResourcePolicy[]): void {
  if (missing.length === 0) return;
  const names = [...new Set(missing.map(nameOf))];
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  throw new PlatformError(
    'ACCESS_DENIED',
    `The change needs policies that the caller does not have: ${names.slice(0, MAX_NAMED).join('; ')}${more}`,
  );
}

/** Whether the rule may show other rows to another user. */
const dependsOnUser = (policy: RowPolicy): boolean =>
  policy.kind === 'predicate' || /current_|session/.test(`${policy.where} ${policy.join}`);

function assertUnrestricted(rowLevelRoles: readonly string[]): void {
  if (rowLevelRoles.length === 0) return;
  throw new PlatformError(
    'ACCESS_DENIED',
    `The change gives rows that row-level roles of the caller may hide: ${rowLevelRoles.slice(0, MAX_NAMED).join(', ')}`,
  );
}

function nameOf(policy: ResourcePolicy): string {
  switch (policy.kind) {
    case 'entity':
      return `entity ${policy.entity} (${policy.actions.join(', ')})`;
    case 'attribute':
      return `attribute ${policy.entity}.${policy.attribute} (${policy.action})`;
    case 'specific':
      return `specific ${policy.name}`;
    default:
      return policy satisfies never;
  }
}
