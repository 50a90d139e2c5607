import {
  type Attribute,
  columnsOf,
  type Datatype,
  type DynamicAttribute,
  dynamicValueColumnOf,
  type Entity,
  embeddedPrefix,
  entityOf,
  keyColumnsOf,
  type Column as StoredColumn,
  storedNameAttributes,
} from '@lintel/metadata';
import type { ResolvedRank, ResolvedSortKey } from '../../resolve/resolved-query.ts';
import type { Visibility } from '../../secure/visibility.ts';
import { planSearch } from '../conditions/plan-search.ts';
import { isAlwaysThere, joinOne } from '../joins/plan-joins.ts';
import { reachDynamicValues } from '../joins/reach-dynamic.ts';
import type { Column, SortPlan } from '../read-plan.ts';
import type { RowSource } from '../row-source.ts';

/**
 * Plans the order of the rows. A reference sorts by the attributes of its instance name, all in the same
 * direction (contract/reading.md#sort); parts that the caller may not view are ignored. Rows without the reference
 * stay: the joins are left joins.
 */
export function planSort(
  keys: readonly ResolvedSortKey[],
  source: RowSource,
  visibility: Visibility,
): readonly SortPlan[] {
  const seen = new Set<string>();
  const paths = new Set<string>();
  return keys
    .filter(({ path: { text } }) => {
      // A second key of the same path changes nothing, and would be joined again.
      if (paths.has(text)) return false;
      paths.add(text);
      return true;
    })
    .flatMap((key) =>
      sortColumns(key, source, visibility).map((column): SortPlan => ({ ...column, descending: key.descending })),
    )
    .filter(({ column }) => {
      const name = `${column.alias}.${column.name}`;
      if (seen.has(name)) return false;
      seen.add(name);
      return true;
    });
}

/**
 * Plans the order of pages: the key comes last, so that pages never overlap (contract/decisions.md#12). Without a key all
 * attributes are: rows that are still equal cannot be distinguished (contract/reading.md#without-key). It has the
 * direction of the last attribute of `sort`: PostgreSQL then reads `-date` backwards from an index on `(date, id)`.
 */
export function planPagedSort(
  keys: readonly ResolvedSortKey[],
  source: RowSource,
  visibility: Visibility,
): readonly SortPlan[] {
  const sorted = planSort(keys, source, visibility);
  const key = lastSort(source, visibility, keys.at(-1)?.descending ?? false).filter(
    ({ column: { alias, name } }) => !sorted.some(({ column }) => column.alias === alias && column.name === name),
  );
  return [...sorted, ...key];
}

/** The rank of the rows that a search finds, which is computed beside each row. */
export function planRank({ search, descending }: ResolvedRank, source: RowSource, visibility: Visibility): SortPlan {
  const alias = source.context.aliases.next();
  const rank = planSearch(search, source, visibility);
  source.join('left', { from: { table: { rank }, alias, joins: [] }, where: [] });
  return { column: { alias, name: 'rank' }, descending, sqlType: 'real', nullable: false };
}

type SortColumn = Omit<SortPlan, 'descending'>;

/** Columns with properties of their values. `isOptional`: the row may be absent, on the far side of a join. */
const typed = (
  columns: readonly Column[],
  stored: readonly StoredColumn[],
  isOptional: boolean,
): readonly SortColumn[] =>
  columns.map((column, at) => {
    const own = stored[at];
    if (own === undefined) throw new Error(`The column ${column.name} is not stored`);
    return { column, sqlType: readType(own), nullable: isOptional || own.nullable };
  });

/** The type of the values as a statement reads them. */
export const readType = ({ type, readAs }: StoredColumn): string =>
  typeof readAs === 'object' ? 'boolean' : (readAs ?? exactType(type));

/** The type without the limits that a cast would apply: `varchar(20)` would cut a value. */
function exactType(type: string): string {
  const base = type.replace(/\(\d[^)]*\)/, '');
  if (base === 'bit') return 'bit varying';
  if (base === 'character') return 'bpchar';
  return base === 'varchar' ? 'text' : base;
}

const keyColumns = (source: RowSource, isOptional: boolean): readonly SortColumn[] =>
  typed(source.keyColumns(), keyColumnsOf(source.model, source.entity), isOptional);

/** The last part of an order: the key, or without one all attributes that the caller may view and that have an order. */
export const lastSort = (source: RowSource, visibility: Visibility, descending: boolean): readonly SortPlan[] =>
  (source.entity.key === undefined ? ownColumns(source, visibility) : keyColumns(source, false)).map((column) => ({
    ...column,
    descending,
  }));

const ownColumns = (source: RowSource, visibility: Visibility): readonly SortColumn[] =>
  [...source.entity.attributes.values()]
    .filter((attribute) => attribute.persistent && !attribute.secret && visibility.mayView(source.entity, attribute))
    .filter(
      (attribute) => attribute.kind === 'enum' || (attribute.kind === 'datatype' && !UNORDERED.has(attribute.datatype)),
    )
    .flatMap((attribute) => typed(source.columns(attribute, ''), columnsOf(source.model, attribute), false));

/** Clients cannot sort by `json`; long binary values would make the order slow. */
const UNORDERED: ReadonlySet<Datatype> = new Set(['json', 'byteArray']);

function sortColumns({ path }: ResolvedSortKey, root: RowSource, visibility: Visibility): readonly SortColumn[] {
  let source = root;
  let prefix = '';
  let isOptional = false;
  for (const { attribute } of path.steps) {
    if (attribute.kind === 'embedded') {
      prefix = embeddedPrefix(attribute, prefix);
    } else {
      isOptional ||= !isAlwaysThere(source, attribute, prefix, visibility);
      source = joinOne(source, attribute, prefix, visibility);
      prefix = '';
    }
  }
  const { leaf } = path;
  if (leaf.kind === 'elements') {
    if (leaf.dynamic === undefined) throw new Error(`${path.text} has no order`);
    return [dynamicColumn(leaf.dynamic.definition, source)];
  }
  return attributeColumns(leaf.attribute, source, prefix, visibility, { isOptional, above: [] });
}

/** The value of a dynamic attribute, which has one at most; rows without one stay. */
function dynamicColumn(attribute: DynamicAttribute, source: RowSource): SortColumn {
  const { from, link, isOfAttribute, value } = reachDynamicValues(source, attribute);
  source.join('left', { from, where: [link, isOfAttribute] });
  return { column: value, sqlType: exactType(dynamicValueColumnOf(source.model, attribute).type), nullable: true };
}

function attributeColumns(
  attribute: Attribute,
  source: RowSource,
  prefix: string,
  visibility: Visibility,
  reached: { readonly isOptional: boolean; readonly above: readonly Entity[] },
): readonly SortColumn[] {
  const { model } = source;
  if (attribute.kind !== 'reference')
    return typed(source.columns(attribute, prefix), columnsOf(model, attribute, prefix), reached.isOptional);
  const target = entityOf(model, attribute.target);
  const isOptional = reached.isOptional || !isAlwaysThere(source, attribute, prefix, visibility);
  const joined = joinOne(source, attribute, prefix, visibility);
  const columns = storedNameAttributes(target).flatMap((name): readonly SortColumn[] => {
    const part = target.attributes.get(name);
    if (part === undefined || !part.persistent || part.secret || !visibility.mayView(target, part)) return [];
    if (part.kind === 'elements' || part.kind === 'embedded') return [];
    if (part.kind !== 'reference') return typed(joined.columns(part, ''), columnsOf(model, part), isOptional);
    const isMany = part.cardinality === 'ONE_TO_MANY' || part.cardinality === 'MANY_TO_MANY';
    const next = entityOf(model, part.target);
    // A predicate may hide the target: the order must not reveal its name.
    if (isMany || reached.above.includes(next) || visibility.predicatesOf(next).length > 0) return [];
    return attributeColumns(part, joined, '', visibility, { isOptional, above: [...reached.above, target] });
  });
  return columns.length > 0 ? columns : keyColumns(joined, isOptional);
}
