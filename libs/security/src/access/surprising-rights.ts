import { type Entity, familyTreeOf, type Model } from '@lintel/metadata';
import { BUILT_IN_ROLES } from '../roles/built-in-roles.ts';
import type { ResourcePolicy, ResourceRole } from '../roles/role.ts';
import type { Access } from './access.ts';
import { strongestAccess } from './access-after.ts';
import { buildAccess, type RoleDirectory } from './build-access.ts';

const BUILT_IN: ReadonlySet<string> = new Set(BUILT_IN_ROLES.map(({ code }) => code));

/**
 * Rights of roles that do less than they seem to, one sentence each with a proposal: an entity without its attributes,
 * an attribute that is hidden because a descendant does not grant it, an embedded object whose entity is not granted.
 * Child roles count; other roles of a user may add what is missing.
 */
export function surprisingRights(model: Model, roles: RoleDirectory): readonly string[] {
  return [...roles.values()]
    .filter(({ code }) => !BUILT_IN.has(code))
    .flatMap((role) => {
      const access = strongestAccess(buildAccess([role.code], roles, { requireApiScope: false }));
      return [
        ...withoutAttributes(model, role, access),
        ...hiddenByDescendants(model, role, access),
        ...embeddedWithoutPolicy(model, role, access),
      ].map((problem) => `Role ${role.code} ${problem}`);
    });
}

type EntityPolicy = Extract<ResourcePolicy, { kind: 'entity' }>;

/** The entities that the policies of the role itself name. */
const namedEntities = (
  model: Model,
  { policies }: ResourceRole,
  isMeant: (policy: ResourcePolicy) => boolean,
): readonly Entity[] => {
  const names = policies.flatMap((policy) => (policy.kind !== 'specific' && isMeant(policy) ? [policy.entity] : []));
  return [...new Set(names)].flatMap((name) => model.entities.get(name) ?? []);
};

const viewed = ({ name, attributes }: Entity, access: Access): readonly string[] =>
  [...attributes.keys()].filter((attribute) => access.mayView(name, attribute));

function withoutAttributes(model: Model, role: ResourceRole, access: Access): readonly string[] {
  const usesAttributes = (policy: ResourcePolicy): policy is EntityPolicy =>
    policy.kind === 'entity' && policy.actions.some((action) => action !== 'delete');
  return namedEntities(model, role, usesAttributes)
    .filter((entity) => viewed(entity, access).length === 0)
    .map(
      ({ name }) =>
        `grants ${name} and none of its attributes: clients see the id alone; add viewAttributes('${name}', '*') or modifyAttributes('${name}', '*')`,
    );
}

function hiddenByDescendants(model: Model, role: ResourceRole, access: Access): readonly string[] {
  return namedEntities(model, role, ({ kind }) => kind === 'attribute').flatMap((entity) =>
    familyTreeOf(model, entity)
      .slice(1)
      .flatMap((descendant) => {
        const hidden = viewed(entity, access).filter((attribute) => !access.mayView(descendant.name, attribute));
        if (hidden.length === 0) return [];
        const isWhole = hidden.length === viewed(entity, access).length && access.mayView(entity.name, '*');
        const proposal = isWhole ? "'*'" : hidden.map((attribute) => `'${attribute}'`).join(', ');
        return [
          `grants ${shortList(hidden)} of ${entity.name} and not of its descendant ${descendant.name}: then they are hidden for ${entity.name}, too; add viewAttributes('${descendant.name}', ${proposal})`,
        ];
      }),
  );
}

function embeddedWithoutPolicy(model: Model, role: ResourceRole, access: Access): readonly string[] {
  return namedEntities(model, role, ({ kind }) => kind === 'attribute').flatMap((entity) =>
    [...entity.attributes.values()].flatMap((attribute) => {
      if (attribute.kind !== 'embedded' || attribute.name === entity.key?.attribute) return [];
      if (!access.mayView(entity.name, attribute.name) || access.allows(attribute.target, 'read')) return [];
      const { target } = attribute;
      return [
        `grants ${entity.name}.${attribute.name}, an embedded object, and not to read ${target}: the object is hidden; add entityPolicy('${target}', 'read') and viewAttributes('${target}', '*')`,
      ];
    }),
  );
}

const MAX_SHOWN = 5;

const shortList = (names: readonly string[]): string =>
  names.length <= MAX_SHOWN
    ? names.join(', ')
    : `${names.slice(0, MAX_SHOWN).join(', ')} and ${names.length - MAX_SHOWN} more attributes`;
