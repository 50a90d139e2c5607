import { PlatformError } from '@lintel/errors';
import { type Entity, isToMany, type Model } from '@lintel/metadata';
import type { QueryLimits } from '../limits/query-limits.ts';
import type { ParsedQuery, ParsedSortKey } from '../parse/parsed-query.ts';
import type { PathLeaf } from './bound-condition.ts';
import { isSingleDynamic } from './dynamic-leaf.ts';
import { resolvePath } from './resolve-path.ts';
import type { ResolvedRank, ResolvedSortKey } from './resolved-query.ts';

/**
 * Binds sort keys (contract/decisions.md#12); a path may end at a dynamic attribute with one value, which the model has
 * where the request includes them (docs/adr/0012).
 *
 * @throws PlatformError REQ_INVALID_SORT naming the path that is unknown, to-many or not stored; REQ_COST_EXCEEDED
 */
export function resolveSort(
  model: Model,
  entity: Entity,
  keys: readonly ParsedSortKey[],
  limits: QueryLimits,
): readonly ResolvedSortKey[] {
  const refuse = (path: string): PlatformError =>
    new PlatformError('REQ_INVALID_SORT', `Cannot sort ${entity.name} by ${path}`);
  return keys.map(({ path: text, descending }) => {
    const path = resolvePath(model, entity, text, { unknown: refuse, notStored: refuse, allowsDynamic: true }, limits);
    const isKey = path.leaf.kind === 'embedded' && path.leaf.owner.key?.attribute === path.leaf.attribute.name;
    const crossesMany = path.steps.some((step) => isToMany(step.attribute)) || isToMany(path.leaf.attribute);
    const hasNoOrder =
      (path.leaf.kind === 'elements' && !isSingleDynamic(path.leaf)) ||
      (path.leaf.kind === 'embedded' && !isKey) ||
      isJson(path.leaf);
    if (crossesMany || hasNoOrder) throw refuse(text);
    return Object.freeze({ path, descending });
  });
}

/** The rank of the instances that a search finds (contract/search.md#rank). */
const RANK = '_rank';

/**
 * Separates the rank of a search, by which lists are sorted without `sort`, from the other keys.
 *
 * @throws PlatformError REQ_INVALID_SORT for a rank that is not the first key, or without a search
 */
export function resolveRank(
  entity: Entity,
  { search, sort }: Pick<ParsedQuery, 'search' | 'sort'>,
): { readonly rank: ResolvedRank | undefined; readonly keys: readonly ParsedSortKey[] } {
  const [first, ...others] = sort;
  if (first?.path !== RANK) {
    const isRanked = search !== undefined && first === undefined;
    return { rank: isRanked ? { search: { ...search, entity }, descending: true } : undefined, keys: sort };
  }
  if (search === undefined) throw new PlatformError('REQ_INVALID_SORT', `Cannot sort by ${RANK} without 'q'`);
  return { rank: { search: { ...search, entity }, descending: first.descending }, keys: others };
}

const isJson = (leaf: PathLeaf): boolean =>
  leaf.kind === 'value' && leaf.type.kind === 'datatype' && leaf.type.datatype === 'json';
