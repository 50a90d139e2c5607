import type { AttributeInfo, DetailedEntityInfo } from '@lintel/client';
import { isToMany, type Rights } from '@lintel/react';
import { valueKindOf } from '../../values/value-kind.ts';
import { isSystem } from '../columns.ts';

/** The attributes that can have the same new value in several instances: those with one value that the user may change. */
export const changeableAttributes = (
  { entityName, properties }: DetailedEntityInfo,
  rights: Pick<Rights, 'may' | 'mayModify'>,
): readonly AttributeInfo[] =>
  rights.may(entityName, 'update')
    ? properties.filter(
        (attribute) =>
          attribute.persistent &&
          !attribute.readOnly &&
          !isSystem(attribute.name) &&
          !isToMany(attribute) &&
          attribute.attributeType !== 'COMPOSITION' &&
          !['embedded', 'other'].includes(valueKindOf(attribute)) &&
          rights.mayModify(entityName, attribute.name),
      )
    : [];
