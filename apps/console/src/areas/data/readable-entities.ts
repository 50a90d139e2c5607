import type { EntityInfo } from '@lintel/client';
import type { Model } from '../../model/model.ts';
import { captionOf } from '../../model/model.ts';

/** The entities whose instances the user may read, by their captions. Those without stored instances are left out. */
export function readableEntities(
  model: Pick<Model, 'entities' | 'rights' | 'captions'>,
  locale?: string,
): readonly EntityInfo[] {
  const collator = new Intl.Collator(locale);
  return [...model.entities.values()]
    .filter(({ entityName }) => model.rights.may(entityName, 'read'))
    .sort((one, other) => collator.compare(captionOf(model, one.entityName), captionOf(model, other.entityName)));
}
