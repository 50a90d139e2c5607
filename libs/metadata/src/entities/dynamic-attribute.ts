import type { Datatype } from '../datatypes/datatypes.ts';
import { lineageOf, type Model } from '../model.ts';
import type { Entity } from './entity.ts';

/** Types of dynamic attributes (contract/dynamic-attributes.md#dynamic-attributes). */
export const DYNAMIC_ATTRIBUTE_TYPES = [
  'STRING',
  'INTEGER',
  'DOUBLE',
  'DECIMAL',
  'DATE',
  'DATE_WITHOUT_TIME',
  'BOOLEAN',
  'ENTITY',
  'ENUMERATION',
] as const;
/** The types that an administrator can choose. */
export type DynamicAttributeType = (typeof DYNAMIC_ATTRIBUTE_TYPES)[number];

/** An attribute that an administrator defined at run time. In JSON its name is `+<code>`. */
export interface DynamicAttribute {
  /** Id of the definition; values are stored under it. */
  readonly id: string;
  /** Unique among the dynamic attributes of an entity. */
  readonly code: string;
  /** Name of the entity that has it; its descendants have it too. */
  readonly entity: string;
  /** Name of the group of attributes that has it. */
  readonly category: string;
  /** Caption without a localized one. */
  readonly name: string;
  /** Description without a localized one. */
  readonly description: string | undefined;
  /** Type of the value; with `collection`, of each element. */
  readonly type: DynamicAttributeType;
  /** The value is a list. */
  readonly collection: boolean;
  /** Sent to clients; not enforced by the entity API. */
  readonly required: boolean;
  /** Name of the entity referred to; `ENTITY` only. */
  readonly target: string | undefined;
  /** Values to choose from; `ENUMERATION` only. Sent to clients; not enforced by the entity API. */
  readonly values: readonly string[];
  /** Captions by locale, e.g. `de`. */
  readonly localizedNames: Readonly<Record<string, string>>;
  /** Descriptions by locale. */
  readonly localizedDescriptions: Readonly<Record<string, string>>;
}

/** The member of a JSON object that has the attribute's value. */
export const dynamicMemberOf = ({ code }: Pick<DynamicAttribute, 'code'>): string => `+${code}`;

const NONE: readonly DynamicAttribute[] = Object.freeze([]);

/** The dynamic attributes of an entity: inherited ones first. One of the entity itself hides an inherited code. */
export function dynamicAttributesOf(model: Model, entity: Entity): readonly DynamicAttribute[] {
  if (model.dynamicAttributes.size === 0) return NONE;
  const byCode = new Map<string, DynamicAttribute>();
  for (const { name } of [...lineageOf(model, entity)].reverse()) {
    for (const attribute of model.dynamicAttributes.get(name) ?? NONE) byCode.set(attribute.code, attribute);
  }
  return byCode.size === 0 ? NONE : [...byCode.values()];
}

/**
 * The datatype of a dynamic attribute's values; undefined for references. An enumeration's value is a text.
 */
export function dynamicDatatypeOf(type: DynamicAttributeType): Datatype | undefined {
  switch (type) {
    case 'STRING':
    case 'ENUMERATION':
      return 'string';
    case 'INTEGER':
      return 'int';
    case 'DOUBLE':
      return 'double';
    case 'DECIMAL':
      return 'decimal';
    case 'DATE':
      return 'dateTime';
    case 'DATE_WITHOUT_TIME':
      return 'localDate';
    case 'BOOLEAN':
      return 'boolean';
    case 'ENTITY':
      return undefined;
    default:
      return type satisfies never;
  }
}
