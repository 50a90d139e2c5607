import { createLine, entityOfValue, isObject, keptLines, type Schema, type Values } from '@lintel/react';
import type { FieldsOf } from '../checking/check-draft.ts';

/** Widgets whose values are of one instance alone, or of which a form shows none. */
const LEFT_OUT = new Set(['file', 'password', 'references', 'shown']);

/**
 * The values with which a copy of an instance begins: what may be entered of a new one, with new children of
 * compositions. Files and collections of other instances stay with the original.
 *
 * @param without the attribute of a child that refers to its owner
 */
export function duplicateOf(
  schema: Schema,
  fieldsOf: FieldsOf,
  entity: string,
  values: Values,
  without?: string,
): Values {
  const copied: Record<string, unknown> = {};
  for (const { attribute, widget, isReadOnly } of fieldsOf(entity, true)) {
    const { name, type, inverse } = attribute;
    const value = values[name];
    if (isReadOnly || LEFT_OUT.has(widget) || name === without || value === null || value === undefined) continue;
    const copyOf = (child: Values): Values =>
      duplicateOf(schema, fieldsOf, entityOfValue(schema, child, type), child, inverse);
    if (widget === 'lines') copied[name] = keptLines(value).map((line) => createLine(withEntity(line, copyOf(line))));
    else if (widget === 'part' && isObject(value)) copied[name] = withEntity(value, copyOf(value));
    else copied[name] = value;
  }
  return copied;
}

/** A child of an entity that extends another one says of which. */
const withEntity = ({ _entityName }: Values, copied: Values): Values =>
  _entityName === undefined ? copied : { _entityName, ...copied };
