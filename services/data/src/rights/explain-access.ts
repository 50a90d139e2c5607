import type { Principal } from '@lintel/contracts';
import { isPlatformError, PlatformError } from '@lintel/errors';
import { decidingEntities } from '@lintel/metadata';
import { resolveEntity } from '@lintel/query';
import { NO_PREFERENCES, type ReadDependencies, readEntities, unrecorded } from '@lintel/reading';
import { type RowPolicy, unknownRowRoles } from '@lintel/security';
import type { UserWithPrincipal } from '../access/principal-of-user.ts';
import { type ListedRowPolicy, listRoles, toListedPolicy } from './list-roles.ts';
import { readingWith, withRowRole } from './preview-rows.ts';
import type { RightsDeps } from './rights-deps.ts';
import { rolesWith } from './roles-with.ts';

/** One reason why a user does not see an instance; each of them is sufficient. */
export type AccessReason =
  | { readonly reason: 'user-disabled' }
  /** `roles` give the missing right. */
  | { readonly reason: 'api-denied' | 'entity-denied'; readonly roles: readonly string[] }
  /** The user has a row-level role that does not exist, which hides everything. */
  | { readonly reason: 'row-role-unknown'; readonly role: string }
  | {
      readonly reason: 'row-policy';
      readonly role: string;
      readonly roleName: string;
      readonly policy: ListedRowPolicy;
    };

/** The body of `GET /rights/explanation`. */
export interface AccessExplanation {
  readonly username: string;
  readonly entityName: string;
  readonly id: string;
  readonly isVisible: boolean;
  readonly hiddenAttributes: readonly string[];
  readonly reasons: readonly AccessReason[];
}

type Deps = Pick<RightsDeps, 'read' | 'currentRoles' | 'accessOf' | 'application' | 'database'>;

interface Target {
  readonly entityName: string;
  readonly id: string;
}

/** Asserts that the caller sees the instance: nothing is said about others. */
export async function assertVisible(
  target: Target,
  caller: Principal,
  read: ReadDependencies,
  signal: AbortSignal,
): Promise<void> {
  if (!(await isVisible(target, caller, read, signal)))
    throw new PlatformError('REQ_NOT_FOUND', 'There is no such instance, or the caller does not see it');
}

/**
 * Why a user does not see an instance that the caller sees.
 *
 * @throws PlatformError for an unknown entity or a wrong id
 */
export async function explainAccess(
  { entityName, id }: Target,
  { account, principal }: UserWithPrincipal,
  caller: Principal,
  deps: Deps,
  signal: AbortSignal,
): Promise<AccessExplanation> {
  const entity = resolveEntity(deps.read.currentModel(), entityName);
  const access = deps.accessOf(principal);
  const rightReasons: AccessReason[] = [];
  if (!account.isActive) rightReasons.push({ reason: 'user-disabled' });
  if (!access.hasSpecific('rest.enabled'))
    rightReasons.push({
      reason: 'api-denied',
      roles: rolesWith(deps.currentRoles(), (role) => role.hasSpecific('rest.enabled')),
    });
  if (!access.allows(entityName, 'read'))
    rightReasons.push({
      reason: 'entity-denied',
      roles: rolesWith(deps.currentRoles(), (role) => role.allows(entityName, 'read')),
    });
  const unknown = unknownRowRoles(principal.rowLevelRoles, deps.currentRoles()).map(
    (role): AccessReason => ({ reason: 'row-role-unknown', role }),
  );
  const reasons = [
    ...rightReasons,
    ...unknown,
    ...(await hidingPolicies({ entityName, id }, principal, caller, deps, signal)),
  ];
  return {
    username: principal.username,
    entityName,
    id,
    isVisible: reasons.length === 0,
    hiddenAttributes: [...entity.attributes.keys()].filter((name) => !access.mayView(entityName, name)),
    reasons,
  };
}

/** The policies of the user that hide the instance: it is read once with each of them alone. */
async function hidingPolicies(
  target: Target,
  user: Principal,
  caller: Principal,
  deps: Deps,
  signal: AbortSignal,
): Promise<readonly AccessReason[]> {
  const model = deps.read.currentModel();
  const deciding = decidingEntities(model, resolveEntity(model, target.entityName));
  const isAbout = (policy: RowPolicy): boolean =>
    deciding.has(policy.entity) && (policy.actions ?? ['read']).includes('read');
  const { rowRoles } = deps.currentRoles();
  const reasons: AccessReason[] = [];
  const stored = await listRoles(deps);
  for (const code of new Set(user.rowLevelRoles)) {
    const role = rowRoles.get(code);
    for (const [at, policy] of (role?.policies ?? []).entries()) {
      if (role === undefined || !isAbout(policy)) continue;
      const registry = withRowRole(deps.currentRoles(), EXAMINED, [policy], { rowLevelRoles: [] });
      // The rights of the caller, who sees the instance; the values of the user.
      const read = readingWith(registry, () => deps.accessOf(caller), deps.read);
      if (await isVisible(target, { ...user, rowLevelRoles: [EXAMINED] }, read, signal)) continue;
      reasons.push({
        reason: 'row-policy',
        role: code,
        roleName: role.name,
        policy: textOf(stored.rowLevelRoles, code, at) ?? toListedPolicy(policy),
      });
    }
  }
  return reasons;
}

const EXAMINED = 'examined';

/** A policy of the role as it is stored: of a condition that is tested in memory only that has the text. */
const textOf = (
  roles: Awaited<ReturnType<typeof listRoles>>['rowLevelRoles'],
  code: string,
  at: number,
): ListedRowPolicy | undefined => roles.filter((role) => role.code === code).flatMap(({ policies }) => policies)[at];

async function isVisible(
  { entityName, id }: Target,
  principal: Principal,
  read: ReadDependencies,
  signal: AbortSignal,
): Promise<boolean> {
  const request = {
    operation: 'instance',
    entityName,
    id,
    members: { fetchPlan: '_instance_name' },
    isFromBody: false,
    preferences: NO_PREFERENCES,
  } as const;
  try {
    // Nobody gets to see the instance.
    const testing = { ...read, loadAccess: (each: Principal) => unrecorded(read.loadAccess(each)) };
    await readEntities(request, principal, testing, signal);
    return true;
  } catch (error) {
    if (isPlatformError(error) && error.code === 'DATA_INSTANCE_NOT_FOUND') return false;
    throw error;
  }
}
