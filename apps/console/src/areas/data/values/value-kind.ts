import type { AttributeInfo } from '@lintel/client';

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
  bigInteger: 'number',
  boolean: 'boolean',
  byteArray: 'other',
  date: 'date',
  dateTime: 'dateTime',
  decimal: 'number',
  double: 'number',
  fileRef: 'other',
  float: 'number',
  int: 'number',
  localDate: 'date',
  localDateTime: 'dateTime',
  localTime: 'time',
  long: 'number',
  offsetDateTime: 'offsetDateTime',
  short: 'number',
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
      return KINDS[type] ?? 'other';
  }
}
