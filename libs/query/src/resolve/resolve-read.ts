import { PlatformError } from '@lintel/errors';
import type { Entity, Model } from '@lintel/metadata';
import type { ParsedQuery } from '../parse/parsed-query.ts';
import { resolveSelection } from './language/resolve-selection.ts';
import { resolveCondition } from './resolve-condition.ts';
import { resolveFetchPlan } from './resolve-fetch-plan.ts';
import { resolveNode } from './resolve-node.ts';
import { resolveSort } from './resolve-sort.ts';
import { brandResolved, type ResolvedQuery } from './resolved-query.ts';

/**
 * The stored entity of that name; names are exact (contract §1.1).
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
 * @throws PlatformError (400) for an unknown plan, property, filter or sort path; 404 for the entity
 */
export function resolveRead(query: ParsedQuery, model: Model): ResolvedQuery {
  const entity = resolveEntity(model, query.entityName);
  const plan = resolveFetchPlan(query.fetchPlan, entity, model);
  return brandResolved({
    model,
    entity,
    operation: query.operation,
    node: resolveNode(model, plan, {
      computed: query.fetchPlan.kind === 'default',
      dynamic: query.dynamicAttributes,
    }),
    filter: query.filter === undefined ? undefined : resolveCondition(model, entity, query.filter),
    sort: resolveSort(model, entity, query.sort),
    selection:
      query.select === undefined
        ? undefined
        : resolveSelection(model, entity, query.select.query, query.select.parameters),
    paged: query.limit !== undefined || query.offset !== undefined || query.cursor !== undefined,
    limited: query.limit !== undefined,
  });
}
