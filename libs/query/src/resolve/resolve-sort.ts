import { PlatformError } from '@lintel/errors';
import { type Entity, isToMany, type Model } from '@lintel/metadata';
import type { QueryLimits } from '../limits/query-limits.ts';
import type { ParsedSortKey } from '../parse/parsed-query.ts';
import type { PathLeaf } from './bound-condition.ts';
import { isSingleDynamic } from './dynamic-leaf.ts';
import { resolvePath } from './resolve-path.ts';
import type { ResolvedSortKey } from './resolved-query.ts';

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

const isJson = (leaf: PathLeaf): boolean =>
  leaf.kind === 'value' && leaf.type.kind === 'datatype' && leaf.type.datatype === 'json';
