import {
  type Column,
  columnOf,
  type ElementsAttribute,
  type Entity,
  elementColumnOf,
  elementsTableOf,
  entityOf,
  isArray,
  linkTableOf,
  type Model,
  quoteIdentifier,
  quoteTable,
  type ReferenceAttribute,
  storageOf,
} from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import { canonicalKey, datatypeOf, fromColumn, keyPartsOf, type LiteralType } from '@lintel/query';
import { columnExpression, keyCondition } from '../model/sql-text.ts';
import { type Key, keyText, type Reference, type Scalar } from '../values/value.ts';
import { keyParameters } from './key-parameters.ts';

const typesOf = (model: Model, entity: Entity): readonly LiteralType[] =>
  keyPartsOf(model, entity).map((part) => part.type);

const selected = (columns: readonly Column[], types: readonly LiteralType[], prefix: string, table = ''): string =>
  columns
    .map(({ name }, at) => {
      const column = `${table}${quoteIdentifier(name)}`;
      return `${columnExpression(types[at] as LiteralType, column)} AS ${prefix}${at}`;
    })
    .join(', ');

const readKey = (raw: Readonly<Record<string, unknown>>, types: readonly LiteralType[], prefix: string): Key =>
  canonicalKey(types.map((type, at) => fromColumn(type, raw[`${prefix}${at}`])));

/** The element collections of some instances, by the text of their keys. */
export async function loadElements(
  runner: StatementRunner,
  model: Model,
  entity: Entity,
  attribute: ElementsAttribute,
  keys: readonly Key[],
): Promise<ReadonlyMap<string, readonly Scalar[]>> {
  const types = typesOf(model, entity);
  const valueType = datatypeOf(attribute);
  const { columns, text } = elementsText(model, attribute, types, valueType);
  const rows = await runner.query({ text, values: keyParameters(columns, types, keys) });
  const found = new Map<string, Scalar[]>(keys.map((key) => [keyText(key), []]));
  for (const raw of rows) found.get(keyText(readKey(raw, types, 'k')))?.push(fromColumn(valueType, raw['v']));
  return found;
}

/** The select of the elements, and the columns that have the keys of their owners. */
function elementsText(
  model: Model,
  attribute: ElementsAttribute,
  types: readonly LiteralType[],
  valueType: LiteralType,
): { readonly columns: readonly Column[]; readonly text: string } {
  if (isArray(attribute)) {
    const { table, keyColumns: columns } = storageOf(model, entityOf(model, attribute.declaredBy));
    const { name, readAs } = elementColumnOf(attribute, 'value');
    const value = columnExpression(valueType, `e.${name}${readAs === undefined ? '' : `::${readAs}`}`);
    const array = `unnest(o.${quoteIdentifier(columnOf(model, attribute).name)}) WITH ORDINALITY e (value, position)`;
    const text = `SELECT ${selected(columns, types, 'k', 'o.')}, ${value} AS v FROM ${quoteTable(table)} o, ${array} WHERE ${keyCondition('o', columns, 1)} ORDER BY e.position`;
    return { columns, text };
  }
  const table = elementsTableOf(model, attribute);
  const columns = table.ownerColumns;
  const value = columnExpression(valueType, quoteIdentifier(table.valueColumn.name));
  const text = `SELECT ${selected(columns, types, 'k')}, ${value} AS v FROM ${quoteTable(table)} WHERE ${keyCondition('', columns, 1)} ORDER BY ${quoteIdentifier(table.positionColumn.name)}`;
  return { columns, text };
}

/** The members of a M:N association of some instances, by the text of their keys. */
export async function loadLinks(
  runner: StatementRunner,
  model: Model,
  entity: Entity,
  attribute: ReferenceAttribute,
  keys: readonly Key[],
): Promise<ReadonlyMap<string, readonly Reference[]>> {
  const table = linkTableOf(model, entity, attribute);
  const types = typesOf(model, entity);
  const targetTypes = typesOf(model, entityOf(model, attribute.target));
  const rows = await runner.query({
    text: `SELECT ${selected(table.ownColumns, types, 'k')}, ${selected(table.targetColumns, targetTypes, 'm')} FROM ${quoteTable(table)} WHERE ${keyCondition('', table.ownColumns, 1)}`,
    values: keyParameters(table.ownColumns, types, keys),
  });
  const found = new Map<string, Reference[]>(keys.map((key) => [keyText(key), []]));
  for (const raw of rows) found.get(keyText(readKey(raw, types, 'k')))?.push({ key: readKey(raw, targetTypes, 'm') });
  return found;
}
