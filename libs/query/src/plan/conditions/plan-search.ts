import { type SearchableAttribute, searchableOf } from '@lintel/metadata';
import type { BoundSearch } from '../../resolve/bound-condition.ts';
import { searchedReferences } from '../../secure/searched.ts';
import type { Visibility } from '../../secure/visibility.ts';
import { reach } from '../joins/plan-joins.ts';
import type { Parameter } from '../parameter.ts';
import type { SqlCondition } from '../read-plan.ts';
import type { RowColumns, RowSource } from '../row-source.ts';
import type { HighlightsPlan, SearchedColumn, SearchPlan } from '../search-plan.ts';
import { withoutLink } from './plan-paths.ts';

/** Plans a search in the attributes that the caller may view (contract/search.md#rights). */
export function planSearch({ index }: BoundSearch, source: RowColumns, visibility: Visibility): SearchPlan {
  const all = searchedColumns(searchableOf(source.entity), source);
  const columns = all.filter(({ attribute }) => visibility.mayView(source.entity, attribute));
  return {
    columns,
    query: wordsOf(index, columns, 'all'),
    text: { source: { kind: 'search', index, as: 'text', prefix: '' }, sqlType: 'text' },
    indexed: columns.length === all.length ? undefined : { columns: all, query: wordsOf(index, all, 'all') },
  };
}

const wordsOf = (index: number, searched: readonly SearchedColumn[], as: 'all' | 'last' | 'others'): Parameter => ({
  source: { kind: 'search', index, as, prefix: prefixesOf(searched) },
  sqlType: 'text',
});

/** The parts of a search, and the table that has its columns: texts of an ancestor can be in another one. */
function partsOf({ index }: BoundSearch, { columns, indexed }: SearchPlan, source: RowSource): SearchPlan['parts'] {
  const all = indexed?.columns ?? columns;
  const { from } = source.rows;
  const tables = [from, ...from.joins.map((join) => join.from)];
  const owner = tables.find(({ alias }) => alias === all[0]?.column.alias);
  if (owner === undefined || !('schema' in owner.table) || prefixesOf(all) === '') return undefined;
  return { last: wordsOf(index, all, 'last'), others: wordsOf(index, all, 'others'), table: owner.table };
}

/**
 * Plans the test that a search finds a row: by its own texts, or by an instance that a reference leads to, which is
 * found by the indexes of its own entity.
 */
export function planSearchCondition(search: BoundSearch, source: RowSource, visibility: Visibility): SqlCondition {
  const own = planSearch(search, source, visibility);
  const linked = searchedReferences(source.model, source.entity, visibility).map((attribute): SqlCondition => {
    const { source: target, link } = reach(source, attribute, '', visibility);
    target.restrict([planSearchCondition({ ...search, entity: target.entity }, target, visibility)]);
    const [only] = link;
    if (only === undefined) throw new Error(`${attribute.name} has no column`);
    const { from, where } = target.rows;
    return { kind: 'among', column: only.right, value: only.left, from, where: withoutLink(where, link) };
  });
  const parts = partsOf(search, own, source);
  // Beside references, all conditions would be tested again for each row that the index finds.
  const isWhole = linked.length > 0;
  return {
    kind: 'or',
    conditions: [...(own.columns.length === 0 ? [] : [{ kind: 'search', ...own, parts, isWhole } as const]), ...linked],
  };
}

/** Plans which words of the attributes that the caller may view a search finds (contract/search.md#highlights). */
export function planHighlights({ index }: BoundSearch, source: RowColumns, visibility: Visibility): HighlightsPlan {
  const viewable = searchableOf(source.entity).filter((attribute) => visibility.mayView(source.entity, attribute));
  return searchedColumns(viewable, source).map((searched) => ({
    ...searched,
    query: {
      source: { kind: 'search', index, as: 'any', prefix: searched.search.prefix ? '*' : '' },
      sqlType: 'text',
    },
  }));
}

const searchedColumns = (attributes: readonly SearchableAttribute[], source: RowColumns) =>
  attributes.map((attribute) => {
    const [column] = source.columns(attribute, '');
    if (column === undefined) throw new Error(`${attribute.name} has no column`);
    return { attribute, column, search: attribute.search };
  });

/** Columns of one weight agree in it: they are distinguished by their weights (`checkSearchable`). */
function prefixesOf(columns: readonly SearchedColumn[]): string {
  if (columns.every(({ search }) => search.prefix)) return '*';
  return [...new Set(columns.flatMap(({ search }) => (search.prefix ? [search.weight] : [])))].join('');
}
