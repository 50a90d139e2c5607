import { ACR_VALUES, type Acr, meetsAcr } from '@lintel/contracts';
import { fingerprint } from '@lintel/metadata';
import type { ResourcePolicy, ResourceRole } from '../roles/role.ts';
import type { Access } from './access.ts';

/** The roles of an application, by code. */
export type RoleDirectory = ReadonlyMap<string, ResourceRole>;

/** Which roles count for a request. */
export interface RequestScope {
  /** Roles must have the scope `API`, unless the caller is anonymous (contract/tokens.md#anonymous). */
  readonly requireApiScope: boolean;
}

/**
 * Decides what the holder of `roleCodes` may do without a login; `accessAfter` decides it for one. Unknown codes are
 * ignored; child roles are merged, each once, without looking at their own scope (contract/roles.md#combination).
 */
export const buildAccess = (roleCodes: readonly string[], directory: RoleDirectory, scope: RequestScope): Access =>
  accessBy(collectPolicies(roleCodes, directory, scope), undefined);

/** The access by those policies that need no stronger login than `acr`, with the access by the others. */
function accessBy(policies: readonly ResourcePolicy[], acr: Acr | undefined): Access {
  const own = decide(policies.filter((policy) => isEffective(policy, acr)));
  const next = ACR_VALUES.find((stronger) =>
    policies.some((policy) => !isEffective(policy, acr) && isEffective(policy, stronger)),
  );
  if (next === undefined) return Object.freeze(own);
  const access = accessBy(policies, next);
  // A login that gives no other rights is not worth a request for it.
  if (access.fingerprint === own.fingerprint) return access;
  return Object.freeze({
    ...own,
    // Callers with equal rights get other errors if one of them would have more rights after a login.
    fingerprint: fingerprint([own.fingerprint, next, access.fingerprint]),
    afterLogin: Object.freeze({ acr: next, access }),
  });
}

const isEffective = (policy: ResourcePolicy, acr: Acr | undefined): boolean =>
  policy.kind === 'attribute' || policy.acr === undefined || meetsAcr(acr, policy.acr);

function decide(policies: readonly ResourcePolicy[]): Access {
  const actions = new Set<string>();
  const view = new Set<string>();
  const modify = new Set<string>();
  const specifics = new Set<string>();
  for (const policy of policies) {
    switch (policy.kind) {
      case 'entity':
        for (const action of policy.actions) actions.add(`${policy.entity}:${action}`);
        break;
      case 'attribute':
        view.add(`${policy.entity}.${policy.attribute}`);
        if (policy.action === 'modify') modify.add(`${policy.entity}.${policy.attribute}`);
        break;
      case 'specific':
        specifics.add(policy.name);
        break;
      default:
        policy satisfies never;
    }
  }
  const granted = (set: ReadonlySet<string>, entity: string, attribute: string): boolean =>
    set.has(`${entity}.${attribute}`) || set.has(`${entity}.*`) || set.has('*.*');
  return {
    fingerprint: fingerprint([[...actions].sort(), [...view].sort(), [...modify].sort(), [...specifics].sort()]),
    allows: (entity: string, action: string) => actions.has(`${entity}:${action}`) || actions.has(`*:${action}`),
    mayView: (entity: string, attribute: string) => granted(view, entity, attribute),
    mayModify: (entity: string, attribute: string) => granted(modify, entity, attribute),
    hasSpecific: (name: string) => specifics.has(name) || specifics.has('*'),
  };
}

/** The policies that the holder of the roles has, those of child roles included. */
export function collectPolicies(
  roleCodes: readonly string[],
  directory: RoleDirectory,
  scope: RequestScope,
): readonly ResourcePolicy[] {
  const seen = new Set<string>();
  const policies: ResourcePolicy[] = [];
  const add = (role: ResourceRole): void => {
    if (seen.has(role.code)) return;
    seen.add(role.code);
    policies.push(...role.policies);
    for (const code of role.childRoles) {
      const child = directory.get(code);
      if (child !== undefined) add(child);
    }
  };
  for (const code of roleCodes) {
    const role = directory.get(code);
    if (role !== undefined && (!scope.requireApiScope || role.scopes.includes('API'))) add(role);
  }
  return policies;
}
