import type { DetailedAttributeInfo, DetailedEntityInfo } from '@lintel/client';
import { AUTOMATIC_ATTRIBUTES, kindOf, type Rights } from '@lintel/react';
import { inUiOrder } from '../../ui-hints.ts';

/** How a value is entered; `shown` is not entered. */
export type Widget =
  | 'boolean'
  | 'checkbox'
  | 'choice'
  | 'date'
  | 'dateTime'
  | 'elements'
  | 'embedded'
  | 'enum'
  | 'file'
  | 'json'
  | 'lines'
  | 'number'
  | 'part'
  | 'password'
  | 'pointInTime'
  | 'radio'
  | 'reference'
  | 'references'
  | 'shown'
  | 'text'
  | 'textarea'
  | 'time';

/** An attribute in a form. */
export interface FormAttribute {
  readonly attribute: DetailedAttributeInfo & { readonly values?: readonly string[] };
  readonly widget: Widget;
  readonly isReadOnly: boolean;
}

/** Attributes that a form shows together. */
export interface FieldGroup {
  /** Undefined: those in no group. */
  readonly caption: string | undefined;
  readonly fields: readonly FormAttribute[];
}

/** Widgets of what leads to instances of an entity. */
const OF_INSTANCES: ReadonlySet<Widget> = new Set(['reference', 'references', 'lines', 'part']);

/** The attributes of a form that the user may view, with instances of entities that the user may read; an attribute that the user may not change is read-only. */
export function formAttributesOf(entity: DetailedEntityInfo, rights: Rights, isNew: boolean): readonly FormAttribute[] {
  const { entityName, key, keyGeneration, kind } = entity;
  const mayWrite = kind === 'embeddable' || rights.may(entityName, isNew ? 'create' : 'update');
  const isKey = (name: string): boolean => name === 'id' || name === key;
  const all = inUiOrder(entity, entity.properties)
    .filter(({ name, ui }) => rights.mayView(entityName, name) && ui?.widget !== 'hidden')
    .map((found): FormAttribute => {
      const attribute = isNew && found.databaseDefault === true ? { ...found, mandatory: false } : found;
      const { name, readOnly } = attribute;
      const widget = widgetOf(attribute);
      const isFixed = isKey(name) && !(isNew && keyGeneration === 'assigned');
      const isReadOnly =
        !mayWrite ||
        widget === 'shown' ||
        readOnly ||
        AUTOMATIC_ATTRIBUTES.has(name) ||
        isFixed ||
        !rights.mayModify(entityName, name);
      return { attribute, widget, isReadOnly };
    });
  // Rights know no dynamic attributes: the right to the instance counts.
  const dynamic = (entity.dynamicProperties ?? []).map(
    (attribute): FormAttribute => ({
      attribute,
      widget: attribute.values === undefined ? widgetOf(attribute) : 'choice',
      isReadOnly: !mayWrite,
    }),
  );
  const isAutomatic = ({ attribute: { name }, isReadOnly }: FormAttribute): boolean =>
    AUTOMATIC_ATTRIBUTES.has(name) || (isKey(name) && isReadOnly);
  const isReadable = ({ attribute: { type }, widget }: FormAttribute): boolean =>
    !OF_INSTANCES.has(widget) || rights.may(type, 'read');
  return [...all.filter((each) => !isAutomatic(each)), ...dynamic, ...(isNew ? [] : all.filter(isAutomatic))].filter(
    isReadable,
  );
}

/** The attributes of the form of a stored instance. */
export const storedAttributesOf = (entity: DetailedEntityInfo, rights: Rights): readonly FormAttribute[] =>
  formAttributesOf(entity, rights, false);

/** The fields of a form in their groups: those in no group, those of the model, those that administrators defined. */
export function groupsOf(
  { ui, dynamicProperties = [] }: DetailedEntityInfo,
  fields: readonly FormAttribute[],
  automaticCaption: string,
): readonly FieldGroup[] {
  const groups = ui?.groups ?? [];
  const categories = new Map(dynamicProperties.map(({ name, category }) => [name, category]));
  const grouped = new Set(groups.flatMap(({ attributes }) => attributes));
  const isAutomatic = ({ attribute: { name }, isReadOnly }: FormAttribute): boolean =>
    AUTOMATIC_ATTRIBUTES.has(name) || (name === 'id' && isReadOnly);
  const free = fields.filter((each) => !grouped.has(each.attribute.name) && !categories.has(each.attribute.name));
  return [
    { caption: undefined, fields: free.filter((each) => !isAutomatic(each)) },
    ...groups.map(({ description, attributes }) => ({
      caption: description,
      fields: attributes.flatMap((name) => fields.filter(({ attribute }) => attribute.name === name)),
    })),
    ...[...new Set(categories.values())].map((category) => ({
      caption: category,
      fields: fields.filter(({ attribute }) => categories.get(attribute.name) === category),
    })),
    { caption: automaticCaption, fields: free.filter(isAutomatic) },
  ].filter((group) => group.fields.length > 0);
}

const DATATYPE_WIDGETS: Readonly<Record<string, Widget>> = {
  boolean: 'boolean',
  byteArray: 'shown',
  date: 'date',
  dateTime: 'dateTime',
  fileRef: 'file',
  localDate: 'date',
  localDateTime: 'dateTime',
  localTime: 'time',
  offsetDateTime: 'pointInTime',
  time: 'time',
};

function widgetOf(attribute: DetailedAttributeInfo): Widget {
  const kind = kindOf(attribute);
  if (kind === 'references' && !attribute.persistent) return 'shown';
  if (kind !== 'value') return kind;
  if (attribute.writeOnly === true) return 'password';
  const hint = attribute.ui?.widget;
  if (hint === 'textarea' || hint === 'radio' || hint === 'checkbox') return hint;
  return attribute.attributeType === 'ENUM' ? 'enum' : (DATATYPE_WIDGETS[attribute.type] ?? 'text');
}
