import {
  type ElementsAttribute,
  type Entity,
  elementsTableOf,
  entityOf,
  type ForeignColumn,
  linkTableOf,
  type Model,
  quoteIdentifier,
  quoteTable,
  type ReferenceAttribute,
} from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import { keyPartsOf, type LiteralType } from '@lintel/query';
import { columnExpression, keyCondition } from '../model/sql-text.ts';
import { fromColumn } from '../values/column-value.ts';
import { type Key, keyText, type Reference, type Scalar } from '../values/value.ts';
import { keyParameters } from './key-parameters.ts';

const typesOf = (model: Model, entity: Entity): readonly LiteralType[] =>
  keyPartsOf(model, entity).map((part) => part.type);

const selected = (columns: readonly ForeignColumn[], types: readonly LiteralType[], prefix: string): string =>
  columns
    .map(
      (column, at) => `${columnExpression(types[at] as LiteralType, quoteIdentifier(column.name))} AS ${prefix}${at}`,
    )
    .join(', ');

const readKey = (raw: Readonly<Record<string, unknown>>, types: readonly LiteralType[], prefix: string): Key =>
  types.map((type, at) => fromColumn(type, raw[`${prefix}${at}`]));

/** The element collections of some instances, by the text of their keys. */
export async function loadElements(
  runner: StatementRunner,
  model: Model,
  entity: Entity,
  attribute: ElementsAttribute,
  keys: readonly Key[],
): Promise<ReadonlyMap<string, readonly Scalar[]>> {
  const table = elementsTableOf(model, attribute);
  const types = typesOf(model, entity);
  const valueType: LiteralType = { kind: 'datatype', datatype: attribute.datatype };
  const value = columnExpression(valueType, quoteIdentifier(table.valueColumn.name));
  const rows = await runner.query({
    text: `SELECT ${selected(table.ownerColumns, types, 'k')}, ${value} AS v FROM ${quoteTable(table)} WHERE ${keyCondition('', table.ownerColumns, 1)} ORDER BY ${quoteIdentifier(table.positionColumn.name)}`,
    values: keyParameters(table.ownerColumns, types, keys),
  });
  const found = new Map<string, Scalar[]>(keys.map((key) => [keyText(key), []]));
  for (const raw of rows) found.get(keyText(readKey(raw, types, 'k')))?.push(fromColumn(valueType, raw['v']));
  return found;
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
