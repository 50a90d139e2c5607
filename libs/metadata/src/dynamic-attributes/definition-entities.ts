import { boolean, compositionOfMany, enumOf, integer, string, text, toOne } from '../builders/attributes.ts';
import { softDeletedEntity } from '../builders/entity-builder.ts';
import { enumeration } from '../builders/enumeration.ts';
import { DYNAMIC_ATTRIBUTE_TYPES } from '../entities/dynamic-attribute.ts';

/** Types of dynamic attributes, as an enum of the model. */
const AttributeType = enumeration(
  'dynat.AttributeType',
  Object.fromEntries(DYNAMIC_ATTRIBUTE_TYPES.map((type) => [type, type])) as Record<
    (typeof DYNAMIC_ATTRIBUTE_TYPES)[number],
    string
  >,
);

/** A group of dynamic attributes of one entity. */
const Category = softDeletedEntity('dynat_Category', {
  attributes: {
    name: string(255).mandatory().notBlank(),
    /** Name of the entity whose instances get the attributes. */
    entityType: string(255).mandatory(),
    isDefault: boolean(),
    categoryAttrs: compositionOfMany('dynat_CategoryAttribute', 'category'),
    localeNames: text(),
  },
  instanceName: ['name'],
});

/** The definition of a dynamic attribute (contract/dynamic-attributes.md#dynamic-attributes). */
const CategoryAttribute = softDeletedEntity('dynat_CategoryAttribute', {
  attributes: {
    category: toOne('dynat_Category').mandatory(),
    /** The category's entity, kept by the server: codes are unique among all attributes of an entity. */
    categoryEntityType: string(255),
    name: string(255).mandatory().notBlank(),
    code: string(50)
      .mandatory()
      .pattern(/[a-z]\w*/),
    description: text(),
    dataType: enumOf(AttributeType).mandatory(),
    /** Name of the entity that values of the type ENTITY refer to. */
    entityClass: string(255),
    /** Comma-separated values of the type ENUMERATION. */
    enumeration: text(),
    isCollection: boolean().default(false),
    required: boolean().default(false),
    orderNo: integer().default(0),
    /** Lines `<locale>/<key>=<text>` or `<locale>=<text>`. */
    localeNames: text(),
    localeDescriptions: text(),
  },
  instanceName: ['{name}', ' (', '{code}', ')'],
  indexes: [{ attributes: ['categoryEntityType', 'code'], unique: true }],
  rules: [
    {
      message: 'An attribute of the type ENTITY needs an entityClass, others have none',
      dependsOn: ['dataType', 'entityClass'],
      test: ({ dataType, entityClass }) => (dataType === 'ENTITY') === isGiven(entityClass),
    },
    {
      message: 'An attribute of the type ENUMERATION needs an enumeration, others have none',
      dependsOn: ['dataType', 'enumeration'],
      test: ({ dataType, enumeration: values }) => (dataType === 'ENUMERATION') === isGiven(values),
    },
  ],
});

function isGiven(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** The entities that define dynamic attributes; every application has them. */
export const DYNAMIC_ATTRIBUTE_ENTITIES = Object.freeze([Category, CategoryAttribute] as const);
export const DYNAMIC_ATTRIBUTE_ENUMS = Object.freeze([AttributeType] as const);
