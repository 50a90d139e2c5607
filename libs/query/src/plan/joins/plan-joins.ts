import {
  type ArrayAttribute,
  type ElementsAttribute,
  type Entity,
  elementColumnOf,
  elementsTableOf,
  entityOf,
  isArray,
  linkTableOf,
  type ReferenceAttribute,
} from '@lintel/metadata';
import type { Visibility } from '../../secure/visibility.ts';
import type { Column, From } from '../read-plan.ts';
import { type OpenedRows, openRows, type Row, type RowSource, type SameColumns, sameColumns } from '../row-source.ts';

/** Rows that were reached from a row, and the pairs of columns that make them belong to it. */
export type Reached = OpenedRows<SameColumns>;

/** The owning reference at the other end of a reference that has no column of its own. */
export function otherEnd(target: Entity, attribute: ReferenceAttribute): ReferenceAttribute {
  const other = attribute.inverse === undefined ? undefined : target.attributes.get(attribute.inverse);
  if (other?.kind !== 'reference') throw new Error(`${attribute.declaredBy}.${attribute.name} has no other end`);
  return other;
}

/**
 * Reaches the targets of a reference from a row: the visible ones, without soft-deleted ones, except
 * that an owning to-one reference still shows a deleted target (contract/decisions.md#47).
 */
export function reach(row: Row, attribute: ReferenceAttribute, prefix: string, visibility: Visibility): Reached {
  if (attribute.cardinality === 'MANY_TO_MANY') return reachMany(row, attribute, visibility);
  const { context } = row;
  const target = entityOf(context.model, attribute.target);
  if (!attribute.owning)
    return openRows(target, context, visibility, {
      deleted: 'hidden',
      owner: attribute.composition ? row : undefined,
      from: attribute,
      link: (source) => sameColumns(source.columns(otherEnd(target, attribute), ''), row.keyColumns()),
    });
  const foreign = row.columns(attribute, prefix);
  return openRows(target, context, visibility, {
    deleted: 'shown',
    from: attribute,
    link: (source) => sameColumns(source.keyColumns(), foreign),
  });
}

function reachMany(row: Row, attribute: ReferenceAttribute, visibility: Visibility): Reached {
  const { context } = row;
  const table = linkTableOf(context.model, row.entity, attribute);
  return openRows(entityOf(context.model, attribute.target), context, visibility, {
    deleted: 'hidden',
    link: (source) => {
      const alias = context.aliases.next();
      const columnsAt = (columns: readonly { readonly name: string }[]): readonly Column[] =>
        columns.map(({ name }) => ({ alias, name }));
      source.join('inner', {
        from: { table, alias, joins: [] },
        where: sameColumns(columnsAt(table.targetColumns), source.keyColumns()),
      });
      return sameColumns(columnsAt(table.ownColumns), row.keyColumns());
    },
  });
}

/** The rows of an element collection; of an array column, its elements. */
export function reachElements(
  row: Row,
  attribute: ElementsAttribute,
): {
  readonly from: From;
  readonly where: readonly SameColumns[];
  readonly value: Column;
  readonly position: Column;
} {
  const { model, aliases } = row.context;
  if (isArray(attribute)) return reachArray(row, attribute);
  const table = elementsTableOf(model, attribute);
  const alias = aliases.next();
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

function reachArray(row: Row, attribute: ArrayAttribute): ReturnType<typeof reachElements> {
  const [unnest] = row.columns(attribute, '');
  if (unnest === undefined) throw new Error(`${attribute.declaredBy}.${attribute.name} has no column`);
  const alias = row.context.aliases.next();
  const { name, readAs } = elementColumnOf(attribute, 'value');
  return {
    from: { table: { unnest }, alias, joins: [] },
    where: [],
    value: { alias, name, ...(readAs === undefined ? {} : { readAs }) },
    position: { alias, name: 'position' },
  };
}

/** Joins the target of a to-one reference to the source; a second call returns the same join. */
export function joinOne(
  source: RowSource,
  attribute: ReferenceAttribute,
  prefix: string,
  visibility: Visibility,
): RowSource {
  const name = `${visibility.isTrusted ? 'trusted ' : ''}${prefix}${attribute.name}`;
  const present = source.joined.get(name);
  if (present !== undefined) return present;
  const { source: target } = reach(source, attribute, prefix, visibility);
  // Both joins give the same rows here, but only the inner one lets the database begin at the other end.
  const kind = isAlwaysThere(source, attribute, prefix, visibility) ? 'inner' : 'left';
  source.join(kind, target.rows);
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
