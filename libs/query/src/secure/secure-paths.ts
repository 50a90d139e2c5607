import { PlatformError } from '@lintel/errors';
import { type Attribute, type Entity, entityOf, type Model } from '@lintel/metadata';
import type { BoundCondition, BoundPath } from '../resolve/bound-condition.ts';
import type { Variable } from '../resolve/language/bound-expression.ts';
import type { BoundSelect } from '../resolve/language/bound-select.ts';
import { type BoundVisitor, walkCondition, walkSelect } from '../resolve/language/walk-bound.ts';
import { testedPaths } from '../resolve/resolve-embedded.ts';
import type { ResolvedMembers } from '../resolve/resolved-query.ts';
import { maySearch } from './searched.ts';
import type { Visibility } from './visibility.ts';

const refuse = (details: string): PlatformError => new PlatformError('ACCESS_READ_DENIED', details);

/**
 * Refuses a path that the caller may not follow: a filter or sort would reveal what the response hides
 * (contract/decisions.md#13).
 *
 * @throws PlatformError ACCESS_READ_DENIED naming the entity and the attribute
 */
export function assertPathVisible(model: Model, path: BoundPath, visibility: Visibility): void {
  for (const step of path.steps) {
    assertVisible(model, step.owner, step.attribute, visibility);
    // The parts of a composite key are as visible as the key itself.
    if (step.owner.key?.attribute === step.attribute.name) return;
  }
  const { leaf } = path;
  if (leaf.kind !== 'elements' || leaf.dynamic === undefined)
    assertVisible(model, leaf.owner, leaf.attribute, visibility);
  else if (leaf.dynamic.target !== undefined) {
    // There is no attribute policy about dynamic attributes (contract/dynamic-attributes.md#dynamic-attributes).
    assertReadable(leaf.owner, leaf.attribute, leaf.dynamic.target, visibility);
    assertNoPredicates(leaf.owner, leaf.attribute, leaf.dynamic.target, visibility);
  }
}

function assertVisible(model: Model, owner: Entity, attribute: Attribute, visibility: Visibility): void {
  const leadsTo =
    attribute.kind === 'reference' || attribute.kind === 'embedded' ? entityOf(model, attribute.target) : undefined;
  const isKey = owner.key?.attribute === attribute.name;
  if (leadsTo !== undefined && !isKey) assertReadable(owner, attribute, leadsTo, visibility);
  if (!visibility.mayView(owner, attribute))
    throw refuse(`Reading of the attribute ${owner.name}.${attribute.name} is forbidden`);
  if (leadsTo !== undefined) assertNoPredicates(owner, attribute, leadsTo, visibility);
}

function assertReadable(owner: Entity, { name }: Attribute, target: Entity, visibility: Visibility): void {
  if (!visibility.canRead(target)) throw refuse(`Reading of the ${target.name} is forbidden (${owner.name}.${name})`);
}

/** The database cannot evaluate a predicate: what it hides would decide which rows match. */
function assertNoPredicates(owner: Entity, { name }: Attribute, target: Entity, visibility: Visibility): void {
  if (visibility.predicatesOf(target).length > 0)
    throw refuse(`A row-level policy of the ${target.name} allows no conditions on ${owner.name}.${name}`);
}

/** Refuses a condition with a path that the caller may not follow. */
export function assertConditionVisible(model: Model, condition: BoundCondition, visibility: Visibility): void {
  switch (condition.kind) {
    case 'constant':
      return;
    case 'and':
    case 'or':
      for (const part of condition.conditions) assertConditionVisible(model, part, visibility);
      return;
    case 'not':
    case 'descendant':
      assertConditionVisible(model, condition.condition, visibility);
      return;
    case 'search': {
      const { entity } = condition;
      if (maySearch(model, entity, visibility)) return;
      throw refuse(`Reading of all searchable attributes of ${entity.name} is forbidden`);
    }
    case 'members':
      assertPathVisible(model, condition.path, visibility);
      if (condition.condition !== undefined) assertConditionVisible(model, condition.condition, visibility);
      return;
    case 'test':
      for (const path of testedPaths(condition)) assertPathVisible(model, path, visibility);
      return;
    default:
      walkCondition(condition, visitorOf(model, visibility, undefined));
  }
}

/**
 * Refuses a selection of members by attributes that the caller may not view, and a part or number of members that only
 * code can distinguish from hidden ones.
 */
export function assertMembersVisible(
  model: Model,
  attribute: Attribute,
  { filter, sort, limit, offset, isCounted }: ResolvedMembers,
  target: Entity,
  visibility: Visibility,
): void {
  if (filter !== undefined) assertConditionVisible(model, filter, visibility);
  for (const { path } of sort) assertPathVisible(model, path, visibility);
  const isPart = limit !== undefined || offset !== undefined || isCounted;
  if (isPart && visibility.predicatesOf(target).length > 0)
    throw refuse(`A row-level policy of the ${target.name} allows no limit, offset or count of ${attribute.name}`);
}

/**
 * Refuses a query that would reveal what the caller may not see: each entity it names must be readable, each
 * attribute viewable, in every clause.
 *
 * @param root the variable whose instances are returned: predicates filter them afterwards
 * @throws PlatformError ACCESS_READ_DENIED naming entity and attribute (contract/decisions.md#13, #53)
 */
export function assertSelectVisible(
  model: Model,
  select: BoundSelect,
  root: Variable | undefined,
  visibility: Visibility,
): void {
  walkSelect(select, visitorOf(model, visibility, root));
}

/** Refuses an entity whose instances the caller may not read. */
export function assertEntityReadable(entity: Entity, visibility: Visibility): void {
  if (!visibility.canRead(entity)) throw refuse(`Reading of the ${entity.name} is forbidden`);
}

const visitorOf = (model: Model, visibility: Visibility, root: Variable | undefined): BoundVisitor => ({
  path: (path) => assertPathVisible(model, path, visibility),
  range: (variable) => {
    const { entity } = variable;
    assertEntityReadable(entity, visibility);
    if (variable !== root && visibility.predicatesOf(entity).length > 0)
      throw refuse(`A row-level policy of the ${entity.name} allows no conditions on it`);
  },
});
