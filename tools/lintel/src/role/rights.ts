import type { EntityAction, ResourcePolicy, ResourceRole, RoleRegistry } from '@lintel/security';

/** One right that a request may need. */
export type Right =
  | { readonly kind: 'entity'; readonly entity: string; readonly action: EntityAction }
  | {
      readonly kind: 'attribute';
      readonly entity: string;
      readonly attribute: string;
      readonly action: 'view' | 'modify';
    }
  | { readonly kind: 'specific'; readonly name: string };

/** A policy that grants a right. */
export interface Grant {
  /** From the role that the user has, over child roles, to the role of the policy. */
  readonly path: readonly string[];
  readonly policy: ResourcePolicy;
}

/** The right in words: `read sales_Order`. */
export function describeRight(right: Right): string {
  switch (right.kind) {
    case 'entity':
      return `${right.action} ${right.entity}`;
    case 'attribute':
      return `${right.action} ${right.entity}.${right.attribute}`;
    case 'specific':
      return `use the specific permission ${right.name}`;
    default:
      return right satisfies never;
  }
}

/** Whether a policy grants a right; the same rule as that of `buildAccess`. */
function isGrantedBy(right: Right, policy: ResourcePolicy): boolean {
  switch (right.kind) {
    case 'entity':
      return policy.kind === 'entity' && includes(policy.entity, right.entity) && policy.actions.includes(right.action);
    case 'attribute':
      return (
        policy.kind === 'attribute' &&
        includes(policy.entity, right.entity) &&
        includes(policy.attribute, right.attribute) &&
        (right.action === 'view' || policy.action === 'modify')
      );
    case 'specific':
      return policy.kind === 'specific' && includes(policy.name, right.name);
    default:
      return right satisfies never;
  }
}

const includes = (granted: string, wanted: string): boolean => granted === '*' || granted === wanted;

/** The policies of a role and of its child roles that grant a right. */
export function grantsOf(role: ResourceRole, right: Right, { resourceRoles }: RoleRegistry): readonly Grant[] {
  const seen = new Set<string>();
  const grants: Grant[] = [];
  const add = (current: ResourceRole, above: readonly string[]): void => {
    if (seen.has(current.code)) return;
    seen.add(current.code);
    const path = [...above, current.code];
    for (const policy of current.policies) if (isGrantedBy(right, policy)) grants.push({ path, policy });
    for (const code of current.childRoles) {
      const child = resourceRoles.get(code);
      if (child !== undefined) add(child, path);
    }
  };
  add(role, []);
  return grants;
}
