import { type Entity, embeddedPrefix, entityOf, type Model } from '@lintel/metadata';
import type { Visibility } from '../../secure/visibility.ts';
import type { Column } from '../read-plan.ts';
import type { Row } from '../row-source.ts';

/**
 * The columns that decide whether an embedded object exists: it exists if one of them is not null. They include
 * columns outside of the plan (contract/instances.md#values), but none that the caller may not view, since the
 * existence of the object would reveal a hidden value (contract/decisions.md#13, #53).
 *
 * @param prefix of the columns inside the embedded object
 */
export function nonNullColumns(
  model: Model,
  embeddable: Entity,
  row: Row,
  prefix: string,
  visibility: Visibility,
): readonly Column[] {
  return [...embeddable.attributes.values()].flatMap((attribute): readonly Column[] => {
    if (attribute.secret || !attribute.persistent || !visibility.mayView(embeddable, attribute)) return [];
    if (attribute.kind === 'embedded') {
      const target = entityOf(model, attribute.target);
      return nonNullColumns(model, target, row, embeddedPrefix(attribute, prefix), visibility);
    }
    if (attribute.kind === 'reference') {
      const target = entityOf(model, attribute.target);
      const isLimited = visibility.rowsOf(target) !== undefined || visibility.predicatesOf(target).length > 0;
      if (isLimited) return [];
    }
    return row.columns(attribute, prefix);
  });
}
