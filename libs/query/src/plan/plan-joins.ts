import {
  type ElementsAttribute,
  type Entity,
  elementsTableOf,
  entityOf,
  linkTableOf,
  type ReferenceAttribute,
} from '@lintel/metadata';
import { TRUSTED, type Visibility } from '../secure/visibility.ts';
import { planCondition } from './plan-condition.ts';
import type { Column, From, SqlCondition } from './read-plan.ts';
import { type Row, RowSource, sameColumns } from './row-source.ts';

/** A row source and the conditions under which its rows belong to the row it was reached from. */
export interface Reached {
  readonly source: RowSource;
  readonly where: readonly SqlCondition[];
}

/** The conditions of the rows that may be seen. */
export function visibleRows(source: RowSource, visibility: Visibility): readonly SqlCondition[] {
  const rows = visibility.rowsOf(source.entity);
  return rows === undefined ? [] : [planCondition(rows, source, TRUSTED)];
}

/** The owning reference at the other end of a reference that has no column of its own. */
function otherEnd(target: Entity, attribute: ReferenceAttribute): ReferenceAttribute {
  const other = attribute.inverse === undefined ? undefined : target.attributes.get(attribute.inverse);
  if (other?.kind !== 'reference') throw new Error(`${attribute.declaredBy}.${attribute.name} has no other end`);
  return other;
}

/**
 * Reaches the targets of a reference from a row: the visible ones, without those marked as deleted, except
 * that an owning to-one reference still shows a deleted target (decisions.md 47).
 */
export function reach(
  row: Row,
  attribute: ReferenceAttribute,
  prefix: string,
  visibility: Visibility,
  context: Pick<RowSource, 'model' | 'aliases'>,
): Reached {
  const { model, aliases } = context;
  const target = entityOf(model, attribute.target);
  if (attribute.cardinality === 'MANY_TO_MANY') return reachMany(row, attribute, visibility, context);
  const foreign = attribute.owning ? row.columns(attribute, prefix) : [];
  const source = new RowSource(model, target, aliases);
  const link = attribute.owning
    ? sameColumns(source.keyColumns(), foreign)
    : sameColumns(source.columns(otherEnd(target, attribute), ''), row.keyColumns());
  const deleted = attribute.owning ? [] : source.notDeleted();
  return { source, where: [...link, ...deleted, ...visibleRows(source, visibility)] };
}

function reachMany(
  row: Row,
  attribute: ReferenceAttribute,
  visibility: Visibility,
  { model, aliases }: Pick<RowSource, 'model' | 'aliases'>,
): Reached {
  const table = linkTableOf(model, row.entity, attribute);
  const source = new RowSource(model, entityOf(model, attribute.target), aliases);
  const alias = aliases.next();
  const columnsAt = (columns: readonly { readonly name: string }[]): readonly Column[] =>
    columns.map(({ name }) => ({ alias, name }));
  const link: From = { table, alias, joins: [] };
  source.from.joins.push({
    kind: 'inner',
    from: link,
    on: sameColumns(columnsAt(table.targetColumns), source.keyColumns()),
  });
  return {
    source,
    where: [
      ...sameColumns(columnsAt(table.ownColumns), row.keyColumns()),
      ...source.notDeleted(),
      ...visibleRows(source, visibility),
    ],
  };
}

/** The rows of an element collection. */
export function reachElements(
  row: Row,
  attribute: ElementsAttribute,
  context: Pick<RowSource, 'model' | 'aliases'>,
): { readonly from: From; readonly where: readonly SqlCondition[]; readonly value: Column; readonly position: Column } {
  const table = elementsTableOf(context.model, attribute);
  const alias = context.aliases.next();
  return {
    from: { table, alias, joins: [] },
    where: sameColumns(
      table.ownerColumns.map(({ name }) => ({ alias, name })),
      row.keyColumns(),
    ),
    value: { alias, name: table.valueColumn.name },
    position: { alias, name: table.positionColumn.name },
  };
}

/** Joins the target of a to-one reference to the source; a second call answers the same join. */
export function joinOne(
  source: RowSource,
  attribute: ReferenceAttribute,
  prefix: string,
  visibility: Visibility,
): RowSource {
  const name = `${visibility === TRUSTED ? 'trusted ' : ''}${prefix}${attribute.name}`;
  const present = source.joined.get(name);
  if (present !== undefined) return present;
  const { source: target, where } = reach(source, attribute, prefix, visibility, source);
  // Both joins give the same rows here, but only the inner one lets the database begin at the other end.
  const kind = isAlwaysThere(source, attribute, prefix, visibility) ? 'inner' : 'left';
  source.from.joins.push({ kind, from: target.from, on: where });
  source.joined.set(name, target);
  return target;
}

/** Whether every row has a target that may be seen: the foreign key is never null. */
export const isAlwaysThere = (
  { model }: Pick<RowSource, 'model'>,
  attribute: ReferenceAttribute,
  prefix: string,
  visibility: Visibility,
): boolean =>
  attribute.owning &&
  attribute.mandatory &&
  prefix === '' &&
  visibility.rowsOf(entityOf(model, attribute.target)) === undefined;
