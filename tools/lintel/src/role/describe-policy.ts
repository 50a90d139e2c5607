import type { ResourcePolicy, RowPolicy } from '@lintel/security';

/** A policy of a resource role in words: `read, update of sales_Order`. */
export function describePolicy(policy: ResourcePolicy): string {
  switch (policy.kind) {
    case 'entity':
      return `${policy.actions.join(', ')} of ${policy.entity === '*' ? 'all entities' : policy.entity}`;
    case 'attribute':
      return `${policy.action === 'modify' ? 'view and modify' : 'view'} ${attributesOf(policy)}`;
    case 'specific':
      return policy.name === '*' ? 'all specific permissions' : `the specific permission ${policy.name}`;
    default:
      return policy satisfies never;
  }
}

const attributesOf = ({ entity, attribute }: { readonly entity: string; readonly attribute: string }): string => {
  if (entity === '*') return 'all attributes of all entities';
  return attribute === '*' ? `all attributes of ${entity}` : `${entity}.${attribute}`;
};

/** A rule on rows in words. */
export function describeRowPolicy(policy: RowPolicy): string {
  const actions = (policy.actions ?? ['read']).join(', ');
  const rule =
    policy.kind === 'query'
      ? `where ${policy.where}${policy.join === undefined ? '' : ` (${policy.join})`}`
      : `that a predicate of the role accepts${policy.dependsOn.length === 0 ? '' : ` (it reads ${policy.dependsOn.join(', ')})`}`;
  return `${actions} of ${policy.entity}: only rows ${rule}`;
}
