import { PlatformError } from '@lintel/errors';
import type { Entity, Model } from '@lintel/metadata';
import type { ParsedQuery } from '../parse/parsed-query.ts';
import { assertConditionCost, assertSelectCost, toManySteps } from './assert-condition-cost.ts';
import type { BoundCondition } from './bound-condition.ts';
import { resolveSelection } from './language/resolve-selection.ts';
import { PlanMeter } from './plan-meter.ts';
import { assertAggregateCost, resolveAggregates } from './resolve-aggregates.ts';
import { resolveCondition } from './resolve-condition.ts';
import { resolveFetchPlan } from './resolve-fetch-plan.ts';
import { selectionsIn } from './resolve-members.ts';
import { resolveNode } from './resolve-node.ts';
import { resolveRank, resolveSort } from './resolve-sort.ts';
import { brandResolved, type ResolvedQuery, type ResolvedSelection } from './resolved-query.ts';

/**
 * The stored entity of that name; names are exact (contract/reading.md#routes).
 *
 * @throws PlatformError MODEL_ENTITY_NOT_FOUND, also for embeddables and entities that are not stored
 */
export function resolveEntity(model: Model, name: string): Entity {
  const entity = model.entities.get(name);
  if (entity?.kind !== 'entity') throw new PlatformError('MODEL_ENTITY_NOT_FOUND', `Entity ${name} not found`);
  return entity;
}

/**
 * Second stage: binds every name of the request to the model.
 *
 * @throws PlatformError (400) for an unknown plan, property, filter or sort path, and for what is above a limit;
 *   404 for the entity
 */
export function resolveRead(query: ParsedQuery, model: Model): ResolvedQuery {
  const { limits } = query;
  const entity = resolveEntity(model, query.entityName);
  const plan = resolveFetchPlan(query.fetchPlan, entity, model, limits);
  const meter = new PlanMeter(model, limits, query.dynamicAttributes);
  meter.assertWithin(plan);
  const filter = query.filter === undefined ? undefined : resolveCondition(model, entity, query.filter, limits);
  const { rank, keys } = resolveRank(entity, query);
  const sort = resolveSort(model, entity, keys, limits);
  const node = resolveNode(model, plan, {
    computed: query.fetchPlan.kind === 'default',
    dynamic: query.dynamicAttributes,
    limits,
  });
  const selections = selectionsIn(node);
  assertConditionCost([{ filter, sort }, ...selections], limits);
  const selection = selectionOf(query, model, entity, filter);
  if (selection !== undefined) assertSelectCost(selection.select, limits);
  return brandResolved({
    model,
    entity,
    operation: query.operation,
    deleted: query.deleted,
    node,
    planNodes: meter.sizeOf(plan).objects,
    testsPerRow: selections.some((selected) => selected.filter !== undefined && toManySteps(selected.filter) > 0),
    filter,
    sort,
    rank,
    highlights: query.highlights && query.search ? { ...query.search, entity } : undefined,
    selection,
    paged: query.limit !== undefined || query.offset !== undefined || query.cursor !== undefined,
    limited: query.limit !== undefined,
  });
}

/** The query that chooses the rows, instead of filter and sort. */
function selectionOf(
  { select, aggregates, limits }: ParsedQuery,
  model: Model,
  entity: Entity,
  filter: BoundCondition | undefined,
): ResolvedSelection | undefined {
  if (aggregates === undefined) return select && resolveSelection(model, entity, select.query, select.parameters);
  const selection = resolveAggregates({ model, entity, limits }, aggregates, filter);
  assertAggregateCost(selection.select, filter === undefined ? 0 : toManySteps(filter), limits);
  return selection;
}
