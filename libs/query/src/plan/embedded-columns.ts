import { type Entity, embeddedPrefix, entityOf, type Model } from '@lintel/metadata';
import type { Visibility } from '../secure/visibility.ts';
import type { Column } from './read-plan.ts';
import type { Row } from './row-source.ts';

/**
 * The columns that tell whether an embedded object is there: all it has, of the plan or not (contract §1.9),
 * but none that the caller may not know of, else its presence would tell a hidden value (decisions.md 13, 53).
 *
 * @param prefix of the columns inside the embedded object
 */
export function tellingColumns(
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
      return tellingColumns(model, target, row, embeddedPrefix(attribute, prefix), visibility);
    }
    if (attribute.kind === 'reference') {
      const target = entityOf(model, attribute.target);
      const isLimited = visibility.rowsOf(target) !== undefined || visibility.predicatesOf(target).length > 0;
      if (isLimited) return [];
    }
    return row.columns(attribute, prefix);
  });
}
