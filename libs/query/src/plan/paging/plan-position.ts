import { PlatformError } from '@lintel/errors';
import { fingerprint } from '@lintel/metadata';
import type { Parameter } from '../parameter.ts';
import type { RowPosition, SortPlan, SqlCondition } from '../read-plan.ts';

/** A short text that differs for orders with incompatible positions. */
export const orderName = (orderBy: readonly SortPlan[]): string =>
  fingerprint(orderBy.map(({ column, descending, sqlType }) => [column.name, descending, sqlType]));

/**
 * The rows after a position, as ranges of the order: first the rows that are equal in all columns but the
 * last one and greater in that, and so on to those that are greater in the first. PostgreSQL reads each
 * range from an index that begins with the order, at any position of the list; one condition with `OR`
 * would make it read the list from its beginning.
 *
 * Which columns are null at the position decides the text; the values are parameters. Nulls are greater
 * than every value, as PostgreSQL sorts them: last in an ascending order, first in a descending one.
 *
 * @throws PlatformError REQ_INVALID_CURSOR for a position in another order
 */
export function planRanges(
  orderBy: readonly SortPlan[],
  order: string,
  position: RowPosition,
): readonly (readonly SqlCondition[])[] {
  if (position.order !== order || position.values.length !== orderBy.length)
    throw new PlatformError('REQ_INVALID_CURSOR', 'The cursor belongs to another request');
  const columns = orderBy.map(
    (key, at): PositionColumn => ({
      key,
      isNull: position.values[at] === null,
      parameter: { source: { kind: 'position', column: at }, sqlType: key.sqlType },
    }),
  );
  return columns
    .map((column, at) => {
      const equal = columns.slice(0, at).map(equalTo);
      return greaterThan(column).map((greater) => [...equal, greater]);
    })
    .reverse()
    .flat();
}

interface PositionColumn {
  readonly key: SortPlan;
  /** At the position. */
  readonly isNull: boolean;
  readonly parameter: Parameter;
}

const compare = ({ key, parameter }: PositionColumn, operator: '=' | '>' | '<'): SqlCondition => ({
  kind: 'compare',
  column: key.column,
  operator,
  parameter,
});

const nullTest = ({ key }: PositionColumn, negated: boolean): SqlCondition => ({
  kind: 'null',
  columns: [key.column],
  negated,
});

const equalTo = (column: PositionColumn): SqlCondition =>
  column.isNull ? nullTest(column, false) : compare(column, '=');

/** The ranges of the column's values that come later, the nearest first. */
function greaterThan(column: PositionColumn): readonly SqlCondition[] {
  const { descending, nullable } = column.key;
  if (descending) return [column.isNull ? nullTest(column, true) : compare(column, '<')];
  if (column.isNull) return [];
  return nullable ? [compare(column, '>'), nullTest(column, false)] : [compare(column, '>')];
}
