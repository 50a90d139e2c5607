import {
  type Attribute,
  type Captions,
  type DynamicAttribute,
  dynamicAttributesOf,
  dynamicDatatypeOf,
  dynamicMemberOf,
  type Entity,
  type Model,
} from '@lintel/metadata';

/** A property in the metadata API (contract/metadata.md#entities, contract/decisions.md#21). */
export interface PropertyInfo {
  readonly name: string;
  readonly attributeType: 'DATATYPE' | 'ENUM' | 'ASSOCIATION' | 'COMPOSITION' | 'EMBEDDED';
  readonly type: string;
  readonly cardinality: 'NONE' | 'ONE_TO_ONE' | 'MANY_TO_ONE' | 'ONE_TO_MANY' | 'MANY_TO_MANY';
  readonly mandatory: boolean;
  readonly readOnly: boolean;
  /** Caption in the language of the request. */
  readonly description: string;
  readonly persistent: boolean;
  readonly transient: boolean;
}

/** A property that an administrator defined. */
export interface DynamicPropertyInfo extends PropertyInfo {
  readonly dynamic: true;
  readonly category: string;
  /** Values to choose from; enumerations only. */
  readonly values?: readonly string[];
}

/** An entity in the metadata API. */
export interface EntityInfo {
  readonly entityName: string;
  readonly ancestor: string | null;
  /** In the order of the model: attributes of the topmost ancestor first. */
  readonly properties: readonly PropertyInfo[];
  /** Absent if there are none: separate, so that clients do not confuse them with properties of the model. */
  readonly dynamicProperties?: readonly DynamicPropertyInfo[];
}

/**
 * Metadata of an entity with inherited attributes, independent of rights (contract/metadata.md#entities).
 *
 * @param details of the entity and of an attribute, which only clients that ask for them get
 */
export function describeEntity(
  model: Model,
  captions: Captions,
  entity: Entity,
  details?: { readonly entity: object; attribute(attribute: Attribute): object },
): EntityInfo {
  const dynamic = dynamicAttributesOf(model, entity);
  return {
    entityName: entity.name,
    ancestor: entity.ancestor ?? null,
    ...details?.entity,
    properties: [...entity.attributes.values()].map((attribute) => ({
      ...describeAttribute(attribute, captions, entity.readOnly === true),
      ...details?.attribute(attribute),
    })),
    ...(dynamic.length === 0
      ? {}
      : { dynamicProperties: dynamic.map((attribute) => describeDynamic(attribute, captions.locale)) }),
  };
}

function describeAttribute(attribute: Attribute, captions: Captions, isOfReadOnly: boolean): PropertyInfo {
  return {
    name: attribute.name,
    ...kindOf(attribute),
    mandatory: attribute.mandatory,
    readOnly: attribute.readOnly || isOfReadOnly,
    description: captions.attribute(attribute),
    persistent: attribute.persistent,
    transient: !attribute.persistent,
  };
}

type Kind = Pick<PropertyInfo, 'attributeType' | 'type' | 'cardinality'>;

function kindOf(attribute: Attribute): Kind {
  switch (attribute.kind) {
    case 'datatype':
      return { attributeType: 'DATATYPE', type: attribute.datatype, cardinality: 'NONE' };
    case 'elements':
      return { attributeType: 'DATATYPE', type: attribute.datatype, cardinality: 'ONE_TO_MANY' };
    case 'enum':
      // The value of the reference implementation for an attribute without a column and a datatype.
      return {
        attributeType: 'ENUM',
        type: attribute.enumName,
        cardinality: attribute.persistent ? 'NONE' : 'MANY_TO_ONE',
      };
    case 'embedded':
      return { attributeType: 'EMBEDDED', type: attribute.target, cardinality: 'ONE_TO_ONE' };
    case 'reference':
      return {
        attributeType: attribute.composition ? 'COMPOSITION' : 'ASSOCIATION',
        type: attribute.target,
        cardinality: attribute.cardinality,
      };
    default:
      return attribute satisfies never;
  }
}

function describeDynamic(attribute: DynamicAttribute, locale: string): DynamicPropertyInfo {
  return {
    name: dynamicMemberOf(attribute),
    ...kindOfDynamic(attribute),
    mandatory: attribute.required,
    readOnly: false,
    description: textIn(attribute.localizedNames, locale) ?? attribute.name,
    persistent: true,
    transient: false,
    dynamic: true,
    category: attribute.category,
    ...(attribute.type === 'ENUMERATION' ? { values: attribute.values } : {}),
  };
}

function kindOfDynamic({ type, target, collection }: DynamicAttribute): Kind {
  const datatype = dynamicDatatypeOf(type);
  return datatype === undefined
    ? { attributeType: 'ASSOCIATION', type: target ?? '', cardinality: collection ? 'MANY_TO_MANY' : 'MANY_TO_ONE' }
    : { attributeType: 'DATATYPE', type: datatype, cardinality: collection ? 'ONE_TO_MANY' : 'NONE' };
}

/** `zh_CN`, then `zh`. */
function textIn(texts: Readonly<Record<string, string>>, locale: string): string | undefined {
  const parts = locale.split(/[_-]/);
  for (let length = parts.length; length > 0; length -= 1) {
    const name = parts.slice(0, length).join('_').toLowerCase();
    const found = Object.entries(texts).find(([key]) => key.toLowerCase() === name);
    if (found !== undefined) return found[1];
  }
  return undefined;
}
