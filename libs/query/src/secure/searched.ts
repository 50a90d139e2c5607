import {
  type Entity,
  entityOf,
  type Model,
  type ReferenceAttribute,
  searchableOf,
  searchedReferencesOf,
} from '@lintel/metadata';
import type { Visibility } from './visibility.ts';

/** The references by whose targets the caller may search: hidden targets and texts decide nothing. */
export const searchedReferences = (
  model: Model,
  entity: Entity,
  visibility: Visibility,
): readonly ReferenceAttribute[] =>
  searchedReferencesOf(entity).filter((attribute) => {
    const target = entityOf(model, attribute.target);
    return (
      visibility.mayView(entity, attribute) &&
      visibility.canRead(target) &&
      // The database cannot evaluate them.
      visibility.predicatesOf(target).length === 0 &&
      maySearch(model, target, visibility)
    );
  });

/** Whether the caller may view an attribute in which instances of the entity are searched. */
export const maySearch = (model: Model, entity: Entity, visibility: Visibility): boolean =>
  searchableOf(entity).some((attribute) => visibility.mayView(entity, attribute)) ||
  searchedReferences(model, entity, visibility).length > 0;
