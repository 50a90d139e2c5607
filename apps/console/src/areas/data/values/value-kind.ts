import type { AttributeInfo } from '@lintel/client';
import { NUMBER_TYPES } from '@lintel/react';

/** How a value of an attribute is entered and compared. */
export type ValueKind =
  | 'boolean'
  | 'date'
  | 'dateTime'
  | 'embedded'
  | 'enum'
  | 'number'
  | 'offsetDateTime'
  | 'other'
  | 'reference'
  | 'text'
  | 'time';

const KINDS: Readonly<Record<string, ValueKind>> = {
  boolean: 'boolean',
  byteArray: 'other',
  date: 'date',
  dateTime: 'dateTime',
  fileRef: 'other',
  localDate: 'date',
  localDateTime: 'dateTime',
  localTime: 'time',
  offsetDateTime: 'offsetDateTime',
  string: 'text',
  time: 'time',
  uuid: 'text',
};

/** The kind of the values of an attribute; of an attribute of a type of the database it is `other`. */
export function valueKindOf({ attributeType, type }: AttributeInfo): ValueKind {
  switch (attributeType) {
    case 'ENUM':
      return 'enum';
    case 'ASSOCIATION':
    case 'COMPOSITION':
      return 'reference';
    case 'EMBEDDED':
      return 'embedded';
    default:
      return NUMBER_TYPES.has(type) ? 'number' : (KINDS[type] ?? 'other');
  }
}
