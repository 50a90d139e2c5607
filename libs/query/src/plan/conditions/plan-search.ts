import { searchableOf } from '@lintel/metadata';
import type { BoundSearch } from '../../resolve/bound-condition.ts';
import type { Visibility } from '../../secure/visibility.ts';
import type { Parameter } from '../parameter.ts';
import type { RowSource } from '../row-source.ts';
import type { SearchedColumn, SearchPlan } from '../search-plan.ts';

/** Plans a search in the attributes that the caller may view (contract/search.md#rights). */
export function planSearch({ index }: BoundSearch, source: RowSource, visibility: Visibility): SearchPlan {
  const all = searchableOf(source.entity).map((attribute) => {
    const [column] = source.columns(attribute, '');
    if (column === undefined) throw new Error(`${attribute.name} has no column`);
    return { attribute, column, search: attribute.search };
  });
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

/** Columns of one weight agree in it: they are distinguished by their weights (`checkSearchable`). */
function prefixesOf(columns: readonly SearchedColumn[]): string {
  if (columns.every(({ search }) => search.prefix)) return '*';
  return [...new Set(columns.flatMap(({ search }) => (search.prefix ? [search.weight] : [])))].join('');
}
