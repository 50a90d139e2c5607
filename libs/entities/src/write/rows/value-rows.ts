import {
  DYNAMIC_VALUE_COLUMNS,
  DYNAMIC_VALUE_TABLE,
  type DynamicAttribute,
  dynamicDatatypeOf,
  dynamicValueColumnOf,
  entityOf,
  type Model,
  quoteIdentifier,
  quoteTable,
} from '@lintel/metadata';
import type { Statement, StatementRunner } from '@lintel/persistence';
import { canonicalKey, fromColumn, keyPartsOf, type LiteralType, toParameter } from '@lintel/query';
import { columnExpression } from '../model/sql-text.ts';
import type { DynamicItem } from '../values/dynamic-value.ts';
import { isReference } from '../values/value.ts';

const TABLE = quoteTable(DYNAMIC_VALUE_TABLE);
const { attribute: ATTRIBUTE, owner: OWNER, position: POSITION } = DYNAMIC_VALUE_COLUMNS;

/** The columns that the rows of one value have in common. */
export interface ValueKey {
  readonly attribute: DynamicAttribute;
  /** Key of the instance, as text. */
  readonly owner: string;
}

/** Type of the column that stores an item; the type of the target's key if the item refers to an instance. */
function typeOf(model: Model, { type, target }: DynamicAttribute): LiteralType {
  const datatype = dynamicDatatypeOf(type);
  if (datatype !== undefined) return { kind: 'datatype', datatype };
  const [part] = keyPartsOf(model, entityOf(model, target ?? ''));
  if (part === undefined) throw new Error(`${target} has no key`);
  return part.type;
}

/** A text that is equal for equal keys. */
export const valueKeyText = ({ attribute, owner }: ValueKey): string => `${attribute.id} ${owner}`;

const arraysOf = (keys: readonly ValueKey[]): readonly unknown[] => [
  keys.map(({ attribute }) => attribute.id),
  keys.map(({ owner }) => owner),
];

const OF_KEYS = `(${ATTRIBUTE}, ${OWNER}) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))`;

/** The stored items of some values, by `valueKeyText`: one statement for each column that they are in. */
export async function loadValues(
  runner: StatementRunner,
  model: Model,
  keys: readonly ValueKey[],
): Promise<ReadonlyMap<string, readonly DynamicItem[]>> {
  const found = new Map<string, DynamicItem[]>(keys.map((key) => [valueKeyText(key), []]));
  const groups = Map.groupBy(keys, ({ attribute }) => columnKey(model, attribute));
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const type = typeOf(model, first.attribute);
    const column = quoteIdentifier(dynamicValueColumnOf(model, first.attribute).name);
    const rows = await runner.query<{ readonly attribute: string; readonly owner: string; readonly value: unknown }>({
      text: `SELECT ${ATTRIBUTE} AS attribute, ${OWNER} AS owner, ${columnExpression(type, column)} AS value
FROM ${TABLE} WHERE ${OF_KEYS} ORDER BY ${POSITION}`,
      values: arraysOf(group),
    });
    for (const { attribute, owner, value } of rows) {
      const item = fromColumn(type, value);
      if (item !== null)
        found
          .get(`${attribute} ${owner}`)
          ?.push(first.attribute.type === 'ENTITY' ? { key: canonicalKey([item]) } : item);
    }
  }
  return found;
}

/** The column and how it is read. */
const columnKey = (model: Model, attribute: DynamicAttribute): string =>
  JSON.stringify([dynamicValueColumnOf(model, attribute).name, typeOf(model, attribute), attribute.type === 'ENTITY']);

/** The statements that replace the stored items: they delete the old rows, then insert the new ones. */
export function replaceStatements(
  model: Model,
  values: readonly (ValueKey & { readonly items: readonly DynamicItem[] })[],
): readonly Statement[] {
  const groups = Map.groupBy(
    values.filter(({ items }) => items.length > 0),
    ({ attribute }) => columnKey(model, attribute),
  );
  return [
    { text: `DELETE FROM ${TABLE} WHERE ${OF_KEYS}`, values: arraysOf(values) },
    ...[...groups.values()].map((group) => insertStatement(model, group)),
  ];
}

function insertStatement(
  model: Model,
  values: readonly (ValueKey & { readonly items: readonly DynamicItem[] })[],
): Statement {
  const { attribute } = values[0] as (typeof values)[number];
  const type = typeOf(model, attribute);
  const column = dynamicValueColumnOf(model, attribute);
  const rows = values.flatMap((value) => value.items.map((item, position) => ({ ...value, item, position })));
  const parameterOf = (item: DynamicItem) => toParameter(type, isReference(item) ? (item.key[0] ?? null) : item);
  return {
    text: `INSERT INTO ${TABLE} (${ATTRIBUTE}, ${OWNER}, ${POSITION}, ${quoteIdentifier(column.name)})
SELECT * FROM unnest($1::uuid[], $2::text[], $3::integer[], $4::${column.type.replace(/\(.*\)/, '')}[])`,
    values: [...arraysOf(rows), rows.map(({ position }) => position), rows.map(({ item }) => parameterOf(item))],
  };
}

/** The statement that removes all values of some instances. */
export const removeStatement = (attributes: readonly DynamicAttribute[], owners: readonly string[]): Statement => ({
  text: `DELETE FROM ${TABLE} WHERE ${ATTRIBUTE} = ANY($1::uuid[]) AND ${OWNER} = ANY($2::text[])`,
  values: [attributes.map(({ id }) => id), owners],
});
