import { fingerprint } from '@lintel/metadata';
import type { ResourcePolicy, ResourceRole } from '../roles/role.ts';
import type { Access } from './access.ts';

/** The roles of an application, by code. */
export type RoleDirectory = ReadonlyMap<string, ResourceRole>;

export interface RequestScope {
  /** Roles must have the scope `API`, unless the caller is anonymous (contract/tokens.md#anonymous). */
  readonly requireApiScope: boolean;
}

/**
 * Decides what the holder of `roleCodes` may do. Unknown codes are ignored; child roles are merged, each
 * once, without looking at their own scope (contract/roles.md#combination).
 */
export function buildAccess(roleCodes: readonly string[], directory: RoleDirectory, scope: RequestScope): Access {
  const policies = collectPolicies(roleCodes, directory, scope);
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
  return Object.freeze({
    fingerprint: fingerprint([[...actions].sort(), [...view].sort(), [...modify].sort(), [...specifics].sort()]),
    allows: (entity: string, action: string) => actions.has(`${entity}:${action}`) || actions.has(`*:${action}`),
    mayView: (entity: string, attribute: string) => granted(view, entity, attribute),
    mayModify: (entity: string, attribute: string) => granted(modify, entity, attribute),
    hasSpecific: (name: string) => specifics.has(name) || specifics.has('*'),
  });
}

function collectPolicies(
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
