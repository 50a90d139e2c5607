import {
  type Entity,
  type HistoryChild,
  type HistoryNode,
  historyOf,
  type Model,
  quoteTable,
  type Table,
  tablesOf,
} from '@lintel/metadata';
import { quoteConstant } from '@lintel/query';
import { keyAsRow, namesInSql, Parts, present, sameColumns, source, sourceOf } from './family-statement.ts';

/** The tables of an entity with history and of everything that belongs to its instances, as entries name them. */
export const recordedSources = (model: Model, entities: readonly Entity[]): readonly string[] => [
  ...new Set(entities.flatMap((entity) => tablesOf(historyOf(model, entity)).map(sourceOf))),
];

/**
 * The query of the instances to which entries belong, with the first and the last entry of each change.
 *
 * @param entries the name of a query with the columns of `history.entry`
 * @returns common table expressions that end with `i`: `entity`, `key`, `change_id`, `recorded_at` (of the last entry: a
 *   change may have several transactions), `parted` (it has, for the instance), `entries`, `first`, `last`, `secrets`
 */
export function changedInstances(model: Model, entities: readonly Entity[], entries: string): string {
  const parts = new Parts();
  const instances = entities.map((entity) => {
    const node = historyOf(model, entity);
    const isSecret = `k.source IN (${node.tables.map(source).join(', ')})`;
    return `SELECT ${quoteConstant(entity.name)} AS entity, k.key, k.change_id, max(k.recorded_at) AS recorded_at, min(k.recorded_at) < max(k.recorded_at) AS parted, count(*) AS entries, min(k.id) AS first, max(k.id) AS last,
  array_agg(DISTINCT s.name) FILTER (WHERE s.name IS NOT NULL) AS secrets
FROM ${ownersIn(node, entries, parts)} k LEFT JOIN LATERAL unnest(k.secrets) s(name) ON ${isSecret}
WHERE k.key IS NOT NULL GROUP BY k.key, k.change_id`;
  });
  return [...parts.texts, `i AS (${instances.join(' UNION ALL ')})`].join(', ');
}

/** Adds the query of entries, each with the key of the instance of the node to which it belongs. */
function ownersIn(node: HistoryNode, entries: string, parts: Parts): string {
  const { tables, sides, children } = node;
  const of = (some: readonly Table[], key: string): string =>
    `SELECT e.id, e.change_id, e.recorded_at, e.source, e.secrets, e.${key} AS key FROM ${entries} e WHERE e.source IN (${some.map(source).join(', ')})`;
  const below = children.map((child) => {
    const keys = ownersIn(child.node, entries, parts);
    const { key, join = '' } = ownerOf(child, node, entries);
    return `SELECT k.id, k.change_id, k.recorded_at, k.source, k.secrets, ${key} AS key FROM ${keys} k${join}`;
  });
  const beside = sides.length === 0 ? [] : [of(sides, 'owner_key')];
  return parts.add([of(tables, 'key'), ...beside, ...below].join(' UNION ALL '));
}

/** The owner of a child, `k.key`, at the entry `k.id`. */
function ownerOf(
  { node, table, from }: HistoryChild,
  { tables }: HistoryNode,
  entries: string,
): { readonly key: string; readonly join?: string } {
  if (table !== undefined) {
    const recorded = (which: string): string =>
      `(SELECT x.owner_key FROM history.entry x WHERE x.source = ${source(table)} AND x.key = k.key AND x.id ${which} LIMIT 1)`;
    const stored = `history.key_of(${present(table)}, ${namesInSql(table.owner)})`;
    return {
      key: `coalesce(${recorded('<= k.id ORDER BY x.id DESC')}, ${recorded('> k.id ORDER BY x.id')}, ${stored})`,
    };
  }
  const owner = tables.find((each) => from !== undefined && sourceOf(each) === sourceOf(from.table));
  const child = node.tables[0];
  if (from === undefined || owner === undefined || child === undefined) return { key: 'NULL::text' };
  const childIn = (state: string): string => `history.key_of(${state}, ${namesInSql(from.columns)})`;
  const written = `SELECT DISTINCT e.key, ${childIn('v.state')} AS child FROM ${entries} e
  CROSS JOIN LATERAL (VALUES (e.before), (e.after)) v(state) WHERE e.source = ${source(owner)}`;
  const stored = `(SELECT history.key_of(to_jsonb(t), ${namesInSql(owner.key)}) FROM ${keyAsRow(from.table, from.columns)}
  JOIN ${quoteTable(from.table)} t ON ${sameColumns(from.columns)} LIMIT 1)`;
  // An owner that is gone, or refers to another child, was written when this one was deleted.
  const left = `(SELECT x.key FROM history.entry x JOIN (SELECT l.change_id, l.recorded_at FROM history.entry l
  WHERE l.source = ${source(child)} AND l.key = k.key ORDER BY l.id DESC LIMIT 1) l
  ON x.change_id = l.change_id AND x.recorded_at = l.recorded_at
  WHERE x.source = ${source(owner)} AND ${childIn('x.before')} = k.key LIMIT 1)`;
  return { key: `coalesce(o.key, ${stored}, ${left})`, join: ` LEFT JOIN (${written}) o ON o.child = k.key` };
}
