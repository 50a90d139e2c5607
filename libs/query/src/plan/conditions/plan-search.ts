import { type SearchableAttribute, searchableOf } from '@lintel/metadata';
import type { BoundSearch } from '../../resolve/bound-condition.ts';
import type { Visibility } from '../../secure/visibility.ts';
import type { Parameter } from '../parameter.ts';
import type { RowColumns } from '../row-source.ts';
import type { HighlightsPlan, SearchedColumn, SearchPlan } from '../search-plan.ts';

/** Plans a search in the attributes that the caller may view (contract/search.md#rights). */
export function planSearch({ index }: BoundSearch, source: RowColumns, visibility: Visibility): SearchPlan {
  const all = searchedColumns(searchableOf(source.entity), source);
  const columns = all.filter(({ attribute }) => visibility.mayView(source.entity, attribute));
  const queryOf = (searched: readonly SearchedColumn[]): Parameter => ({
    source: { kind: 'search', index, as: 'all', prefix: prefixesOf(searched) },
    sqlType: 'text',
  });
  return {
    columns,
    query: queryOf(columns),
    text: { source: { kind: 'search', index, as: 'text', prefix: '' }, sqlType: 'text' },
    indexed: columns.length === all.length ? undefined : { columns: all, query: queryOf(all) },
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
