import { type DynamicAttribute, dynamicAttributesOf, dynamicMemberOf, type Entity, type Model } from '@lintel/metadata';

/** The dynamic attribute of a member `+code` of an instance; undefined if the entity has no such attribute. */
export const dynamicAttributeOf = (model: Model, entity: Entity, member: string): DynamicAttribute | undefined =>
  dynamicAttributesOf(model, entity).find((attribute) => dynamicMemberOf(attribute) === member);
