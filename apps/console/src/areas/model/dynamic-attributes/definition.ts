/** An attribute that an administrator has defined (contract/dynamic-attributes.md#dynamic-attributes). */
export interface AttributeDefinition {
  readonly id?: string;
  readonly code: string;
  readonly name: string;
  readonly dataType: string;
  readonly entityClass?: string | null;
  readonly enumeration?: string | null;
  readonly isCollection?: boolean;
  readonly required?: boolean;
  readonly orderNo?: number | null;
  readonly description?: string | null;
  readonly localeNames?: string | null;
}

/** A group of attributes of one entity. */
export interface CategoryDefinition {
  readonly id: string;
  readonly name: string;
  readonly entityType: string;
  readonly isDefault?: boolean;
  readonly categoryAttrs?: readonly AttributeDefinition[];
}

/** The entities of the definitions. */
export const CATEGORY = 'dynat_Category';
export const ATTRIBUTE = 'dynat_CategoryAttribute';

/** What a list of categories shows. */
export const CATEGORY_PLAN = {
  name: true,
  entityType: true,
  isDefault: true,
  categoryAttrs: {
    code: true,
    name: true,
    dataType: true,
    entityClass: true,
    enumeration: true,
    isCollection: true,
    required: true,
    orderNo: true,
    description: true,
    localeNames: true,
  },
} as const;

const orNull = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
};

/** The members to write: an attribute that exists keeps its code, its type, its target and whether it is a list. */
export function writtenAttribute(
  attribute: AttributeDefinition,
  categoryId: string,
): Readonly<Record<string, unknown>> {
  const { id, code, name, dataType, entityClass, enumeration, isCollection = false, required = false } = attribute;
  const common = {
    name,
    enumeration: dataType === 'ENUMERATION' ? orNull(enumeration) : null,
    required,
    orderNo: attribute.orderNo ?? 0,
    description: orNull(attribute.description),
    localeNames: orNull(attribute.localeNames),
  };
  if (id !== undefined) return common;
  return {
    ...common,
    category: { id: categoryId },
    code,
    dataType,
    entityClass: dataType === 'ENTITY' ? orNull(entityClass) : null,
    isCollection,
  };
}

/** In the order in which forms show them. */
export const inOrder = (attributes: readonly AttributeDefinition[] = []): readonly AttributeDefinition[] =>
  attributes.toSorted((one, other) => (one.orderNo ?? 0) - (other.orderNo ?? 0) || (one.code < other.code ? -1 : 1));
