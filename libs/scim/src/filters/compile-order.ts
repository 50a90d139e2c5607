import { badRequest } from '../protocol/scim-failure.ts';
import type { AttributeColumns } from './compile-filter.ts';

/** The expression of the sort key, and the order by its column `sort`; resources with equal keys are ordered by id. */
export function compileOrder(
  { sortBy, isDescending }: { readonly sortBy: string | undefined; readonly isDescending: boolean },
  columns: AttributeColumns,
): { readonly key: string; readonly order: string } {
  const order = `sort ${isDescending ? 'DESC' : 'ASC'} NULLS LAST, id`;
  if (sortBy === undefined) return { key: 'NULL::text', order };
  const column = columns.get(sortBy);
  if (column === undefined || column.kind === 'relation')
    throw badRequest('invalidValue', `sortBy: resources cannot be sorted by ${sortBy}`);
  return { key: column.kind === 'text' ? `lower(${column.sql})` : column.sql, order };
}
