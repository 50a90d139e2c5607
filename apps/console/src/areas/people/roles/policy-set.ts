import type { ResourcePolicy } from '../api/roles.ts';

/** Whether a role grants an action on an entity, an attribute or a name. */
export const hasPolicy = (
  policies: readonly ResourcePolicy[],
  type: string,
  resource: string,
  action: string,
): boolean => policies.some((policy) => isSame(policy, { type, resource, action }));

type Named = Pick<ResourcePolicy, 'type' | 'resource' | 'action'>;

const isSame = (policy: Named, { type, resource, action }: Named): boolean =>
  policy.type === type && policy.resource === resource && policy.action === action;

const OPERATIONS = ['create', 'read', 'update', 'delete'];

/** The policies with a right added or removed; `all` is divided where one of its operations is removed. */
export function withPolicy(
  policies: readonly ResourcePolicy[],
  named: Named,
  isGranted: boolean,
): readonly ResourcePolicy[] {
  const { type, resource } = named;
  const all = policies.find((policy) => isSame(policy, { type: 'entity', resource, action: 'all' }));
  const divided =
    type === 'entity' && all !== undefined
      ? [...policies.filter((policy) => !isSame(policy, all)), ...OPERATIONS.map((action) => ({ ...all, action }))]
      : policies;
  const others = divided.filter((policy) => !isSame(policy, named));
  return isGranted ? [...others, { ...named, effect: 'allow' }] : others;
}

/** Whether an operation on an entity is granted by a policy of it or of all entities. */
export const isOperationGranted = (policies: readonly ResourcePolicy[], resource: string, action: string): boolean =>
  hasPolicy(policies, 'entity', resource, action) || hasPolicy(policies, 'entity', resource, 'all');

/** The level of an attribute; of all attributes of an entity (`E.*`) `different`, if some have a level of their own. */
export type AttributeLevel = 'hidden' | 'view' | 'modify' | 'different';

/** The level of an attribute (`E.a`, `E.*`, `*.*`) by its own policies. */
export function attributeLevel(policies: readonly ResourcePolicy[], resource: string): AttributeLevel {
  const level = ownLevel(policies, resource);
  const isDifferent = ownAttributes(policies, resource).some((each) => ownLevel(policies, each.resource) !== level);
  return isDifferent ? 'different' : level;
}

const ownLevel = (policies: readonly ResourcePolicy[], resource: string): AttributeLevel => {
  if (hasPolicy(policies, 'entityAttribute', resource, 'modify')) return 'modify';
  return hasPolicy(policies, 'entityAttribute', resource, 'view') ? 'view' : 'hidden';
};

/** The policies of single attributes of an entity, where the resource means all of them. */
const ownAttributes = (policies: readonly ResourcePolicy[], resource: string): readonly ResourcePolicy[] =>
  resource.endsWith('.*') && resource !== '*.*'
    ? policies.filter(
        (each) =>
          each.type === 'entityAttribute' &&
          each.resource !== resource &&
          each.resource.startsWith(resource.slice(0, -1)),
      )
    : [];

/** The policies with another level of an attribute; a level of all attributes replaces the levels of single ones. */
export function withAttributeLevel(
  policies: readonly ResourcePolicy[],
  resource: string,
  level: string,
): readonly ResourcePolicy[] {
  const replaced = new Set([resource, ...ownAttributes(policies, resource).map((each) => each.resource)]);
  const others = policies.filter((policy) => policy.type !== 'entityAttribute' || !replaced.has(policy.resource));
  return level === 'hidden'
    ? others
    : [...others, { type: 'entityAttribute', resource, action: level, effect: 'allow' }];
}

/** A policy with the id of its row. */
export type StoredPolicy = ResourcePolicy & { readonly id: string };

/** The policies as they are saved: those that the role has keep their ids. */
export const writtenPolicies = (policies: readonly ResourcePolicy[], stored: readonly StoredPolicy[] = []) =>
  policies.map(({ type, resource, action, effect }) => {
    const same = stored.find((each) => isSame(each, { type, resource, action }));
    return { ...(same !== undefined && { id: same.id }), type, resource, action, effect };
  });
