import type { Entity } from '@lintel/metadata';
import { hasCompositeKey } from '@lintel/query';

/**
 * Returns the filter that finds instances by their ids.
 *
 * @param ids as in responses: objects for a composite key
 */
export function filterByIds(entity: Entity, ids: readonly unknown[]): unknown {
  const attribute = entity.key?.attribute ?? 'id';
  if (!hasCompositeKey(entity)) return { conditions: [{ property: attribute, operator: 'in', value: ids }] };
  const conditions = ids.map((id) => ({
    group: 'AND',
    conditions: Object.entries(id as object).map(([name, value]: [string, unknown]) => ({
      property: `${attribute}.${name}`,
      operator: '=',
      value,
    })),
  }));
  return { conditions: [{ group: 'OR', conditions }] };
}
