import { PlatformError } from '@lintel/errors';
import type { Entity } from '@lintel/metadata';
import type { ReadAccess } from '../access.ts';
import type { ResolvedQuery } from '../resolve/resolved-query.ts';
import { requestingLogin } from './request-login.ts';
import { secureNode } from './secure-node.ts';
import { assertConditionVisible, assertPathVisible, assertSelectVisible } from './secure-paths.ts';
import { brandSecured, type SecuredQuery } from './secured-query.ts';
import { visibilityOf } from './visibility.ts';

/**
 * Refuses a caller who may not read the entity.
 *
 * @throws PlatformError ACCESS_READ_DENIED, or AUTH_STEP_UP_REQUIRED if the caller may read it after a stronger login
 */
export const assertReadable = (entity: Entity, access: ReadAccess): void =>
  requestingLogin(access, (given) => assertGranted(entity, given));

function assertGranted(entity: Entity, access: ReadAccess): void {
  if (!access.entity(entity.name).canRead)
    throw new PlatformError('ACCESS_READ_DENIED', `Reading of the ${entity.name} is forbidden`);
}

/**
 * Third stage: decides what the caller may see. Attributes that may not be viewed are dropped at every node of the
 * plan; a filter, sort or query that would disclose their values is refused. The visibility goes along: by it the
 * planner adds the row conditions to every table of an entity (`openRows`).
 *
 * @throws PlatformError ACCESS_READ_DENIED naming entity and attribute (contract/decisions.md#13), or
 *   AUTH_STEP_UP_REQUIRED if the caller may read them after a stronger login
 */
export const secureRead = (query: ResolvedQuery, access: ReadAccess): SecuredQuery =>
  requestingLogin(access, (given) => secure(query, given));

function secure(query: ResolvedQuery, access: ReadAccess): SecuredQuery {
  const { model, entity, operation, deleted, filter, sort, rank, highlights, selection, paged, limited } = query;
  assertGranted(entity, access);
  const visibility = visibilityOf(model, access);
  if (filter !== undefined) assertConditionVisible(model, filter, visibility);
  for (const key of sort) assertPathVisible(model, key.path, visibility);
  if (selection !== undefined) assertSelectVisible(model, selection.select, selection.root, visibility);
  const node = secureNode(model, query.node, visibility);
  return brandSecured({
    model,
    entity,
    operation,
    deleted,
    node,
    filter,
    sort,
    rank,
    highlights,
    selection,
    paged,
    limited,
    visibility,
  });
}
