import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { type Entity, lineageOf, type Model, searchableOf } from '@lintel/metadata';
import { parseSearch, RANKED_MATCHES, resolveEntity, visibilityOf } from '@lintel/query';
import {
  type CallerAccess,
  NO_PREFERENCES,
  type ReadDependencies,
  type ReadResult,
  readEntities,
  withTimeBudget,
} from '@lintel/reading';

/** A received search in all entities. */
export interface ReceivedSearch {
  readonly q: string;
  /** Names; all entities without them. */
  readonly entities: readonly string[] | undefined;
  /** Instances of each entity. */
  readonly limit: number;
  /** Instances have the parts of their texts that are found. */
  readonly highlights: boolean;
}

/**
 * Searches the entities that the caller may read (contract/search.md#all), by one statement for each.
 *
 * @throws PlatformError 404, 403 and 400 for a named entity that is unknown, may not be read or is not searchable; 400
 *   for `q`
 */
export async function searchAll(
  { q, entities, limit, highlights }: ReceivedSearch,
  principal: Principal,
  given: ReadDependencies,
  signal: AbortSignal,
): Promise<ReadResult> {
  // Also where no entity is searched.
  parseSearch({ q }, []);
  const model = given.currentModel();
  const deps = { ...given, database: withTimeBudget(given.database, given.limits.timeLimitMs) };
  const names = entities ?? searchedIn(model, deps.loadAccess(principal));
  const found: string[] = [];
  for (const entityName of names) {
    const members = { q, highlights, fetchPlan: '_instance_name', limit: String(limit) };
    const received = { operation: 'list', entityName, members, isFromBody: false } as const;
    const result = await readEntities({ ...received, preferences: NO_PREFERENCES }, principal, deps, signal);
    if (result.kind !== 'list') throw new Error('A short page is not streamed');
    if (result.rows.length > 0)
      found.push(`{"entityName":${JSON.stringify(entityName)},"instances":[${result.rows.join(',')}]}`);
  }
  return {
    kind: 'instance',
    json: `{"candidates":${RANKED_MATCHES},"entities":[${found.join(',')}]}`,
    version: undefined,
  };
}

/** Entities of which the caller may view a searchable attribute; descendants without their own are in their ancestors. */
function searchedIn(model: Model, { read }: CallerAccess): readonly string[] {
  const visibility = visibilityOf(model, read);
  const isSearched = (entity: Entity): boolean =>
    entity.kind === 'entity' &&
    visibility.canRead(entity) &&
    searchableOf(entity).some((attribute) => visibility.mayView(entity, attribute));
  const isInAncestor = (entity: Entity): boolean =>
    !searchableOf(entity).some(({ declaredBy }) => declaredBy === entity.name) &&
    lineageOf(model, entity).slice(1).some(isSearched);
  return [...model.entities.values()]
    .filter((entity) => isSearched(entity) && !isInAncestor(entity))
    .map(({ name }) => name);
}

/**
 * The names of the entities of a request, each once.
 *
 * @throws PlatformError MODEL_ENTITY_NOT_FOUND; REQ_INVALID_PARAMETER for a text without names
 */
export function namedEntities(model: Model, text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  if (names.length === 0)
    throw new PlatformError('REQ_INVALID_PARAMETER', "Parameter 'entities' must name entities, with commas");
  return names.map((name) => resolveEntity(model, name).name);
}
