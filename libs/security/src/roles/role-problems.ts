import { ACR_VALUES, isAcr } from '@lintel/contracts';
import { suggestion } from '@lintel/errors';
import type { Entity, Model } from '@lintel/metadata';
import { pathProblem, unknownAttribute } from './attribute-path.ts';
import { parseCheckedCondition } from './checked-condition.ts';
import type { EntityAction, ResourcePolicy, ResourceRole, RowLevelRole, RowPolicy } from './role.ts';

/** What the policies of a resource role of the application name that the model does not have: one sentence each. */
export const resourceRoleProblems = (model: Model, role: ResourceRole): readonly string[] => [
  ...new Set(
    role.policies.flatMap((policy) =>
      resourcePolicyProblems(model, policy).map((problem) => `Role ${role.code}, ${problem}`),
    ),
  ),
];

function resourcePolicyProblems(model: Model, policy: ResourcePolicy): readonly string[] {
  return [...loginProblems(policy), ...nameProblems(model, policy)];
}

/** Application code without type checks may give any value. */
function loginProblems(policy: ResourcePolicy & { readonly acr?: string }): readonly string[] {
  if (policy.acr === undefined) return [];
  const where = policy.kind === 'specific' ? `policy ${policy.name}` : `policy on ${policy.entity}`;
  if (policy.kind === 'attribute') return [`${where}: policies on attributes cannot require an acr`];
  return isAcr(policy.acr) ? [] : [`${where}: acr is ${ACR_VALUES.join(' or ')}`];
}

function nameProblems(model: Model, policy: ResourcePolicy): readonly string[] {
  if (policy.kind === 'specific' || (policy.kind === 'entity' && policy.entity === '*')) return [];
  if (policy.kind === 'entity')
    return model.entities.has(policy.entity) ? [] : [`policy on ${policy.entity}: ${unknownEntity(model, policy)}`];
  const { entity, attribute, action } = policy;
  const where = `${action}Attributes('${entity}', '${attribute}')`;
  if (entity === '*')
    return attribute === '*' ? [] : [`${where}: an attribute of all entities cannot be granted; name the entity, or *`];
  const known = model.entities.get(entity);
  if (known === undefined) return [`${where}: ${unknownEntity(model, policy)}`];
  if (attribute === '*' || known.attributes.has(attribute)) return [];
  return [`${where}: ${unknownAttribute(known, attribute)}`];
}

/** What is wrong in the policies of a row-level role of the application: one sentence each. */
export const rowLevelRoleProblems = (model: Model, role: RowLevelRole): readonly string[] =>
  role.policies.flatMap((policy) => {
    const where = `Row-level role ${role.code}, policy on ${policy.entity}`;
    return rowPolicyProblems(model, policy).map((problem) => `${where}: ${problem}`);
  });

const ACTIONS: ReadonlySet<EntityAction> = new Set(['create', 'read', 'update', 'delete']);

function rowPolicyProblems(model: Model, policy: RowPolicy): readonly string[] {
  const entity = model.entities.get(policy.entity);
  if (entity?.kind !== 'entity') {
    const stored = [...model.entities.values()].filter(({ kind }) => kind === 'entity').map(({ name }) => name);
    return [`there is no stored entity ${policy.entity}${suggestion(policy.entity, stored)}`];
  }
  // Application code without type checks may give any kind; an ignored policy would hide no rows.
  if (policy.kind !== 'query' && (policy.kind as string) !== 'predicate')
    return ['the kind of a row-level policy is query or predicate'];
  const actions = policy.actions ?? ['read'];
  const problems =
    actions.length === 0 || actions.some((action) => !ACTIONS.has(action))
      ? ['the actions of a row-level policy are create, read, update and delete']
      : [];
  return [
    ...problems,
    ...(policy.kind === 'query'
      ? conditionProblems(model, entity, policy)
      : policy.dependsOn.flatMap((path) => pathProblem(model, entity, path) ?? [])),
  ];
}

function conditionProblems(
  model: Model,
  entity: Entity,
  { where, join }: Extract<RowPolicy, { kind: 'query' }>,
): readonly string[] {
  try {
    parseCheckedCondition(model, entity, where, join);
    return [];
  } catch (error) {
    const details = error !== null && typeof error === 'object' && 'details' in error ? String(error.details) : '';
    return [details || (error instanceof Error ? error.message : String(error))];
  }
}

const unknownEntity = (model: Model, { entity }: { readonly entity: string }): string =>
  `there is no entity ${entity}${suggestion(entity, model.entities.keys())}`;
