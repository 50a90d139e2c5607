import { type Column, keyColumnsOf, type Model, quoteIdentifier, storageOf, withAttributes } from '@lintel/metadata';
import { entityNameText, keyPartsOf, type LiteralType } from '@lintel/query';
import type { ColumnSlot, Layout } from './layout.ts';
import type { MatchKey } from './match-keys.ts';
import {
  arrayParameters,
  columnExpression,
  keyCondition,
  knownEntityConditions,
  parameterType,
  tableName,
} from './sql-text.ts';

/** The options, besides the entity, that determine the text of a select of rows. */
export interface RowSelectShape {
  /** Selects rows whose reference is one of the keys; without it, rows whose own key is one of them. */
  readonly slot: ColumnSlot | undefined;
  /** Selects rows with the values of this key instead; of several values, `position` says whose row it is, from 1 on. */
  readonly match?: MatchKey | undefined;
  /** There is one key. */
  readonly isOne: boolean;
  readonly lock: 'update' | 'delete' | undefined;
  /** Only rows that are not soft-deleted. */
  readonly liveOnly: boolean;
}

/** A select of whole rows: `c0`, `c1`, … in the order of the layout's slots, and `entity_name` if the table has one. */
export interface RowSelect {
  readonly text: string;
  /** Columns and types of the keys that are its parameters. */
  readonly matched: readonly Column[];
  readonly types: readonly LiteralType[];
}

const LOCKS = { update: 'FOR NO KEY UPDATE', delete: 'FOR UPDATE' } as const;

/** Names a shape among those of one entity. */
export const shapeName = ({ slot, match, isOne, lock, liveOnly }: RowSelectShape): string =>
  `${slot?.path ?? ''} ${isOne} ${lock} ${liveOnly}${match === undefined ? '' : ` ${JSON.stringify([match.paths, match.expression, match.where])}`}`;

/** Columns of a key and their types, in the order of its parameters. */
const partsOf = ({ slots }: MatchKey) => ({
  matched: slots.flatMap(({ columns }) => columns),
  types: slots.flatMap(({ types }) => types),
});

/** The values of a key that are compared: its columns, or its expression; `textOf` writes the value of a column. */
function comparedValues(
  { slots, expression }: MatchKey,
  textOf: (slot: ColumnSlot, column: Column, at: number) => string,
): readonly string[] {
  let at = 0;
  const texts = new Map(slots.map((slot) => [slot.path, slot.columns.map((column) => textOf(slot, column, at++))]));
  if (expression === undefined) return [...texts.values()].flat();
  return [`(${withAttributes(expression, (path) => texts.get(path)?.[0] ?? '')})`];
}

const sentRows = (columns: readonly Column[]): string =>
  `unnest(${arrayParameters(columns, 1)}) WITH ORDINALITY k(${columns.map((_, at) => `v${at}`).join(', ')}, n)`;

/** The select of the positions of two equal values of a key among those that are its parameters. */
export function writeDuplicateSelect(key: MatchKey): RowSelect {
  const { matched, types } = partsOf(key);
  const compared = comparedValues(key, (_slot, _column, at) => `k.v${at}`).join(', ');
  return {
    text: `SELECT min(k.n)::int AS first, max(k.n)::int AS other FROM ${sentRows(matched)} GROUP BY ${compared} HAVING count(*) > 1 ORDER BY 1 LIMIT 1`,
    matched,
    types,
  };
}

/** Writes the select of an entity's rows, in the order of their keys. */
export function writeSelect(model: Model, layout: Layout, shape: RowSelectShape): RowSelect {
  const { slot, match, isOne, lock, liveOnly } = shape;
  const { entity } = layout;
  const root = layout.tables[0] ?? entity;
  const aliasOf = (table: string): string => `t${layout.tables.findIndex(({ name }) => name === table)}`;
  const columns = [...layout.slots.values()].flatMap((one) =>
    one.columns.map((column, at) => ({
      type: one.types[at] as LiteralType,
      text: `${aliasOf(one.table)}.${quoteIdentifier(column.name)}${column.readAs === 'numeric' ? '::numeric' : ''}`,
    })),
  );
  const { discriminator } = storageOf(model, root);
  const expressions = columns.map(({ type, text }, at) => `${columnExpression(type, text)} AS c${at}`);
  if (discriminator !== undefined)
    expressions.push(
      `${entityNameText(`t0.${quoteIdentifier(discriminator.name)}`, discriminator.values)} AS entity_name`,
    );
  const key = keyColumnsOf(model, root);
  const joins = layout.tables.slice(1).map((table, at) => {
    const on = keyColumnsOf(model, table).map(
      ({ name }, part) => `t${at + 1}.${quoteIdentifier(name)} = t0.${quoteIdentifier(key[part]?.name ?? '')}`,
    );
    return ` JOIN ${tableName(table)} t${at + 1} ON ${on.join(' AND ')}`;
  });
  const of =
    match === undefined
      ? { matched: slot?.columns ?? key, types: slot?.types ?? keyPartsOf(model, root).map((part) => part.type) }
      : partsOf(match);
  const conditions = [...knownEntityConditions(model, entity, 't0')];
  if (match === undefined)
    conditions.unshift(keyCondition(slot === undefined ? 't0' : aliasOf(slot.table), of.matched, 1, isOne));
  else {
    const columnText = ({ table }: ColumnSlot, { name }: Column): string =>
      `${aliasOf(table)}.${quoteIdentifier(name)}`;
    const sent = comparedValues(match, (_slot, { type }, at) =>
      isOne ? `$${at + 1}::${parameterType(type)}` : `k.v${at}`,
    );
    const stored = comparedValues(match, columnText);
    conditions.unshift(...stored.map((text, at) => `${text} = ${sent[at]}`));
    const inCondition = (path: string): string =>
      layout.slots.get(path)?.columns.map((column) => columnText(layout.slots.get(path) as ColumnSlot, column))[0] ??
      '';
    if (match.where !== undefined) conditions.push(`(${withAttributes(match.where, inCondition)})`);
    if (!isOne) {
      joins.push(` JOIN ${sentRows(of.matched)} ON TRUE`);
      expressions.push('k.n::int AS position');
    }
  }
  const deleted = layout.slots.get(entity.system.deletedDate ?? '');
  if (liveOnly && deleted?.columns[0] !== undefined)
    conditions.push(`${aliasOf(deleted.table)}.${quoteIdentifier(deleted.columns[0].name)} IS NULL`);
  const order = key.map(({ name }) => `t0.${quoteIdentifier(name)}`).join(', ');
  const locking = lock === undefined ? '' : ` ${LOCKS[lock]} OF t0`;
  return {
    text: `SELECT ${expressions.join(', ')} FROM ${tableName(root)} t0${joins.join('')} WHERE ${conditions.join(' AND ')} ORDER BY ${order}${locking}`,
    ...of,
  };
}
