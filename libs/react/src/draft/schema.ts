import type { DetailedAttributeInfo, DetailedEntityInfo } from '@lintel/client';
import { NUMBER_TYPES } from '../model/number-types.ts';
import { isObject, type Values } from './values.ts';

/** The entities of the application by their names. */
export type Schema = ReadonlyMap<string, DetailedEntityInfo>;

/** What a value is, for its comparison and for a write. */
export type ValueKind =
  /** The children of a composition. */
  | 'lines'
  /** The child of a composition to one. */
  | 'part'
  | 'embedded'
  /** A reference to one instance. */
  | 'reference'
  /** Instances of an association. */
  | 'references'
  /** A collection of values. */
  | 'elements'
  | 'json'
  | 'number'
  | 'value';

/** What the values of an attribute are. */
export function kindOf({
  attributeType,
  cardinality,
  type,
}: Pick<DetailedAttributeInfo, 'attributeType' | 'cardinality' | 'type'>): ValueKind {
  const isMany = cardinality.endsWith('_TO_MANY');
  switch (attributeType) {
    case 'COMPOSITION':
      return isMany ? 'lines' : 'part';
    case 'ASSOCIATION':
      return isMany ? 'references' : 'reference';
    case 'EMBEDDED':
      return 'embedded';
    case 'ENUM':
      return isMany ? 'elements' : 'value';
    default:
      if (isMany) return 'elements';
      return type === 'json' ? 'json' : NUMBER_TYPES.has(type) ? 'number' : 'value';
  }
}

/** Type of the attributes where there is no model. */
export const UNTYPED = '';

/**
 * The attributes of an entity, those of administrators last.
 *
 * @param values where the schema is empty, because the page has no model: their members are the attributes
 */
export function attributesOf(
  schema: Schema,
  entity: string,
  ...values: readonly (Values | undefined)[]
): readonly DetailedAttributeInfo[] {
  const found = schema.get(entity);
  if (found !== undefined) return [...found.properties, ...(found.dynamicProperties ?? [])];
  if (schema.size > 0) return [];
  const names = new Set(values.flatMap((each) => Object.keys(each ?? {})).filter((name) => !name.startsWith('_')));
  return [...names].map(
    (name) => ({ name, type: UNTYPED, attributeType: 'DATATYPE', cardinality: 'NONE' }) as DetailedAttributeInfo,
  );
}

/** The entity of a value: the one that it names, which may extend that of the attribute. */
export function entityOfValue(schema: Schema, value: unknown, declared: string): string {
  const named = isObject(value) ? value['_entityName'] : undefined;
  return typeof named === 'string' && schema.has(named) ? named : declared;
}
