import type { DetailedEntityInfo } from '@lintel/client';
import type { Rights } from '@lintel/react';
import { formAttributesOf } from '../attributes/form-attributes.ts';

/** The attribute that is the whole name of an instance, if it is a text that the user enters in the form of a new one. */
export function nameAttributeOf(entity: DetailedEntityInfo, rights: Rights): string | undefined {
  const [only, ...others] = entity.nameAttributes;
  if (only === undefined || others.length > 0) return undefined;
  const field = formAttributesOf(entity, rights, true).find(({ attribute }) => attribute.name === only);
  if (field === undefined || field.isReadOnly || field.attribute.type !== 'string') return undefined;
  return field.widget === 'text' || field.widget === 'textarea' ? only : undefined;
}
