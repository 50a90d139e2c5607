import type { AttributeInfo, EntityInfo } from '@lintel/client';
import type { Rights } from '@lintel/react';

/** What the platform sets by itself. */
const AUTOMATIC = new Set([
  'version',
  'createdDate',
  'createdBy',
  'lastModifiedDate',
  'lastModifiedBy',
  'deletedDate',
  'deletedBy',
]);

/** How a value is entered; `shown` is not entered here. */
export type Widget =
  | 'boolean'
  | 'date'
  | 'dateTime'
  | 'enum'
  | 'file'
  | 'number'
  | 'reference'
  | 'shown'
  | 'text'
  | 'time';

/** An attribute in a form. */
export interface FormAttribute {
  readonly attribute: AttributeInfo;
  readonly widget: Widget;
  readonly isReadOnly: boolean;
}

/** The attributes of a form that the user may view; an attribute that the user may not change is read-only. */
export function formAttributesOf(
  { entityName, properties }: EntityInfo,
  rights: Rights,
  isNew: boolean,
): readonly FormAttribute[] {
  const mayWrite = rights.may(entityName, isNew ? 'create' : 'update');
  const all = properties
    .filter(({ name }) => rights.mayView(entityName, name))
    .map((attribute) => {
      const widget = widgetOf(attribute);
      const isReadOnly =
        !mayWrite ||
        widget === 'shown' ||
        attribute.readOnly ||
        AUTOMATIC.has(attribute.name) ||
        attribute.name === 'id' ||
        !rights.mayModify(entityName, attribute.name);
      return { attribute, widget, isReadOnly };
    });
  const isAutomatic = ({ attribute }: FormAttribute): boolean =>
    AUTOMATIC.has(attribute.name) || attribute.name === 'id';
  return [...all.filter((each) => !isAutomatic(each)), ...(isNew ? [] : all.filter(isAutomatic))];
}

const DATATYPE_WIDGETS: Readonly<Record<string, Widget>> = {
  bigInteger: 'number',
  boolean: 'boolean',
  byteArray: 'shown',
  date: 'date',
  dateTime: 'dateTime',
  decimal: 'number',
  double: 'number',
  fileRef: 'file',
  float: 'number',
  int: 'number',
  json: 'shown',
  localDate: 'date',
  localDateTime: 'dateTime',
  localTime: 'time',
  long: 'number',
  short: 'number',
  time: 'time',
};

function widgetOf({ attributeType, cardinality, type }: AttributeInfo): Widget {
  if (cardinality.endsWith('_TO_MANY')) return 'shown';
  switch (attributeType) {
    case 'ENUM':
      return 'enum';
    case 'ASSOCIATION':
      return 'reference';
    case 'DATATYPE':
      return DATATYPE_WIDGETS[type] ?? 'text';
    default:
      return 'shown';
  }
}
