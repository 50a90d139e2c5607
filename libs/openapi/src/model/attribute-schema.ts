import { listOf, ref, type Schema } from '@lintel/contracts';
import {
  type Attribute,
  type Captions,
  type DatatypeAttribute,
  type DynamicAttribute,
  dynamicDatatypeOf,
  type ElementsAttribute,
  enumerationOf,
  type Model,
} from '@lintel/metadata';
import { digitLimits, ruleLimits } from './rule-limits.ts';
import { scalarSchema, schemaOfValues } from './scalar-schema.ts';

/**
 * Name of the schema of an entity's instances (contract/api-documents.md#detailed, contract/decisions.md#44). A character
 * that OpenAPI does not allow in names of components, such as `$`, is a point and its code.
 */
export const schemaNameOf = (entity: string): string =>
  `entity_${entity.replaceAll(/[^\w-]/gu, (character) => `.${character.codePointAt(0)?.toString(16)}`)}`;

/** A reference to the schema of an entity's instances; of any instance if the model of the caller lacks the entity. */
export const instanceSchema = ({ entities }: Model, entity: string): Schema =>
  ref(entities.has(entity) ? schemaNameOf(entity) : 'Entity');

/**
 * The schema of an attribute's value in requests and responses: null where it is optional or its target may be hidden, its
 * caption as the title.
 */
export function attributeSchema(model: Model, captions: Captions, attribute: Attribute): Schema {
  return {
    title: captions.attribute(attribute),
    ...valueSchema(model, captions, attribute),
    ...(attribute.readOnly ? { readOnly: true } : {}),
    // Accepted, and in no response.
    ...(attribute.secret ? { writeOnly: true } : {}),
  };
}

function valueSchema(model: Model, captions: Captions, attribute: Attribute): Schema {
  switch (attribute.kind) {
    case 'datatype':
      return {
        ...orNull(attribute, {
          ...(ownSchema(attribute) ?? schemaOfValues(attribute)),
          ...textFormOf(attribute),
          ...lengthOf(attribute),
          ...digitLimits(attribute, attribute.rules),
          ...ruleLimits(attribute.rules),
        }),
        ...defaultOf(attribute.defaultValue),
      };
    case 'enum':
      return {
        ...orNull(attribute, enumSchema(model, captions, attribute.enumName)),
        ...defaultOf(attribute.defaultValue),
      };
    case 'elements':
      return orNull(attribute, {
        ...listOf({ ...schemaOfValues(attribute), ...lengthOf(attribute), ...digitLimits(attribute) }),
        ...ruleLimits(attribute.rules, { isList: true }),
      });
    case 'embedded':
      return orNull(attribute, instanceSchema(model, attribute.target));
    case 'reference': {
      const target = instanceSchema(model, attribute.target);
      if (!attribute.cardinality.endsWith('TO_MANY')) return orHidden(attribute, target);
      // Parts are replaced by a list, never by null (contract/decisions.md#71); null clears other collections.
      return attribute.composition ? listOf(target) : orNull(attribute, listOf(target));
    }
    default:
      return attribute satisfies never;
  }
}

/** The schema of a JSON attribute; one with references of its own is no part of another document. */
const ownSchema = ({ jsonSchema }: DatatypeAttribute): Schema | undefined =>
  jsonSchema === undefined || JSON.stringify(jsonSchema).includes('"$ref"') ? undefined : jsonSchema;

/** No format of JSON Schema is the form in which PostgreSQL writes such values. */
const textFormOf = ({ comparedAs, columnType }: DatatypeAttribute): Schema =>
  comparedAs === undefined ? {} : { description: `Text form of the PostgreSQL type ${columnType}` };

/** The constants of an enum by their names, with their captions. */
export function enumSchema(model: Model, captions: Captions, enumName: string): Schema {
  const names = enumerationOf(model, enumName).values.map(({ name }) => name);
  const described = names.map((name) => `${name}: ${captions.constant(enumName, name)}`);
  return { type: 'string', enum: names, description: `${enumName} (${described.join(', ')})` };
}

/** The schema of a dynamic attribute's value; its name begins with `+`. */
export function dynamicAttributeSchema(model: Model, attribute: DynamicAttribute): Schema {
  const datatype = dynamicDatatypeOf(attribute.type);
  const one = datatype === undefined ? instanceSchema(model, attribute.target ?? '') : scalarSchema(datatype);
  return {
    title: attribute.name,
    ...orNull({ mandatory: false }, attribute.collection ? listOf(one) : one),
    'x-dynamic': true,
  };
}

/** Null in responses, too: with `returnNulls` a hidden target is null (contract/instances.md#values). */
const orHidden = (attribute: Attribute, target: Schema): Schema =>
  attribute.mandatory ? { anyOf: [target, { type: 'null', readOnly: true }] } : orNull(attribute, target);

/** Null, too, where a value is not demanded. */
function orNull({ mandatory }: Pick<Attribute, 'mandatory'>, schema: Schema): Schema {
  if (mandatory) return schema;
  const { type, enum: constants } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(constants) ? { enum: [...(constants as readonly unknown[]), null] } : {}),
  };
}

const lengthOf = ({ datatype, length }: Pick<DatatypeAttribute | ElementsAttribute, 'datatype' | 'length'>): Schema =>
  length === undefined || datatype === 'uri' || datatype === 'byteArray' ? {} : { maxLength: length };

const defaultOf = (value: DatatypeAttribute['defaultValue']): Schema => (value === undefined ? {} : { default: value });
