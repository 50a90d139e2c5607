import type { DetailedEntityInfo } from '@lintel/client';
import { captionOf, type Model } from '../../context.ts';

type NamedModel = Pick<Model, 'entities' | 'rights' | 'captions'>;

/** The entities, embeddables and DTOs that the user may read, by their captions. */
export function readableEntities(model: NamedModel, locale?: string): readonly DetailedEntityInfo[] {
  const collator = new Intl.Collator(locale);
  return [...model.entities.values()]
    .filter(({ entityName }) => model.rights.may(entityName, 'read'))
    .sort((one, other) => collator.compare(captionOf(model, one.entityName), captionOf(model, other.entityName)));
}

/** Those of them that have lists: embeddables and DTOs have no instances of their own. */
export const listedEntities = (model: NamedModel, locale?: string): readonly DetailedEntityInfo[] =>
  readableEntities(model, locale).filter(({ kind }) => kind === 'entity');

/** Whether an entity is one of the platform: users, roles, reports, messages and so on. */
export const isSystemEntity = ({ entityName }: { readonly entityName: string }): boolean =>
  /^(?:sec|sys|report|dynat)_/.test(entityName);
