import type { AttributeInfo, DetailedEntityInfo } from '@lintel/client';
import { isToMany, type Rights } from '@lintel/react';
import { isEmpty } from '../../values/is-empty.ts';
import { valueKindOf } from '../../values/value-kind.ts';
import { isSystem } from '../columns.ts';
import type { Row } from '../row.ts';

/** A value for several instances, as it is entered. */
export interface NewValue {
  readonly value: unknown;
  /** The attribute has no value afterwards. */
  readonly isCleared: boolean;
}

/** The attributes that can have the same new value in several instances: those with one value that the user may change. */
export const changeableAttributes = (
  { entityName, properties, key }: DetailedEntityInfo,
  rights: Pick<Rights, 'may' | 'mayModify'>,
): readonly AttributeInfo[] =>
  rights.may(entityName, 'update')
    ? properties.filter(
        (attribute) =>
          attribute.persistent &&
          !attribute.readOnly &&
          !isSystem(attribute.name) &&
          attribute.name !== key &&
          !isToMany(attribute) &&
          attribute.attributeType !== 'COMPOSITION' &&
          !['embedded', 'other'].includes(valueKindOf(attribute)) &&
          rights.mayModify(entityName, attribute.name),
      )
    : [];

/** Whether every chosen attribute has a value, or will have none. */
export const isComplete = (values: ReadonlyMap<string, NewValue>): boolean =>
  values.size > 0 && [...values.values()].every(({ value, isCleared }) => isCleared || !isEmpty(value));

/** The values as they are sent. */
export const writtenValues = (attributes: readonly AttributeInfo[], values: ReadonlyMap<string, NewValue>): Row =>
  Object.fromEntries(
    attributes.flatMap((attribute) => {
      const given = values.get(attribute.name);
      return given === undefined ? [] : [[attribute.name, writtenValue(attribute, given)]];
    }),
  );

function writtenValue(attribute: AttributeInfo, { value, isCleared }: NewValue): unknown {
  if (isCleared) return null;
  return valueKindOf(attribute) === 'reference' ? { id: value } : value;
}
