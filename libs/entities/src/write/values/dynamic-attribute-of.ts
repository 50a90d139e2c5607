import { type DynamicAttribute, dynamicAttributesOf, dynamicMemberOf, type Entity, type Model } from '@lintel/metadata';

/** The dynamic attribute that a member `+code` of an instance is of; undefined where the entity has none such. */
export const dynamicAttributeOf = (model: Model, entity: Entity, member: string): DynamicAttribute | undefined =>
  dynamicAttributesOf(model, entity).find((attribute) => dynamicMemberOf(attribute) === member);
