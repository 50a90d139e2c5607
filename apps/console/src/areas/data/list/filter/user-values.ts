import type { AttributeInfo } from '@lintel/client';
import { isObject } from '@lintel/react';
import { createContext } from 'react';
import { valueKindOf } from '../../values/value-kind.ts';

/** A value that is one of the user whom a rule is applied to. */
export interface UserValue {
  /** A name of the query language, without the colon: `current_user_username`. */
  readonly parameter: string;
}

/** A value of the user that a condition may be compared with. */
export interface OfferedUserValue {
  readonly parameter: string;
  readonly caption: string;
  /** The attribute of `sec_User`. */
  readonly attribute: AttributeInfo;
}

/** The values of the user that conditions may be compared with; none in filters of lists. */
export const UserValues = createContext<readonly OfferedUserValue[]>([]);

/** The values that have the type of an attribute: for references, instances of its entity. */
export const offeredFor = (values: readonly OfferedUserValue[], compared: AttributeInfo): readonly OfferedUserValue[] =>
  values.filter(({ attribute }) =>
    valueKindOf(compared) === 'reference'
      ? attribute.type === compared.type || (attribute.name === 'id' && compared.type === 'sec_User')
      : valueKindOf(attribute) === valueKindOf(compared),
  );

export const userValue = (parameter: string): UserValue => ({ parameter });

/** The parameter of a value of the user; undefined for other values. */
export const parameterOf = (value: unknown): string | undefined =>
  isObject(value) && typeof value['parameter'] === 'string' ? value['parameter'] : undefined;
