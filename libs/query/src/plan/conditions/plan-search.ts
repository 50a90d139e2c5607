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
  const wordsOf = (searched: readonly SearchedColumn[], as: 'all' | 'last' | 'others'): Parameter => ({
    source: { kind: 'search', index, as, prefix: prefixesOf(searched) },
    sqlType: 'text',
  });
  return {
    columns,
    query: wordsOf(columns, 'all'),
    text: { source: { kind: 'search', index, as: 'text', prefix: '' }, sqlType: 'text' },
    indexed: columns.length === all.length ? undefined : { columns: all, query: wordsOf(all, 'all') },
    parts: prefixesOf(all) === '' ? undefined : { last: wordsOf(all, 'last'), others: wordsOf(all, 'others') },
  };
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
  return {
    kind: 'or',
    conditions: [...(own.columns.length === 0 ? [] : [{ kind: 'search', ...own } as const]), ...linked],
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
