import type { BoundCondition, BoundOwner } from '../../resolve/bound-condition.ts';
import type { Visibility } from '../../secure/visibility.ts';
import { otherEnd } from '../joins/plan-joins.ts';
import { planCondition } from '../plan-condition.ts';
import type { SqlCondition } from '../read-plan.ts';
import { openRows, type RowSource, sameColumns } from '../row-source.ts';

/**
 * Plans the condition that an owner of the row is visible: a semi-join with each table that can have one. The owner may
 * be soft-deleted, as the target of a reference may.
 */
export function planOwned(
  { by }: Extract<BoundCondition, { kind: 'owned' }>,
  row: RowSource,
  visibility: Visibility,
): SqlCondition {
  const conditions = by.map((owner) => planOwner(owner, row, visibility));
  const [only] = conditions;
  return conditions.length === 1 && only !== undefined ? only : { kind: 'or', conditions };
}

function planOwner({ owner, attribute, rows }: BoundOwner, row: RowSource, visibility: Visibility): SqlCondition {
  const { source } = openRows(owner, row.context, visibility, {
    deleted: 'shown',
    link: (opened) =>
      attribute.owning
        ? sameColumns(opened.columns(attribute, ''), row.keyColumns())
        : sameColumns(opened.keyColumns(), row.columns(otherEnd(row.entity, attribute), '')),
  });
  if (rows !== undefined) source.restrict([planCondition(rows, source, visibility)]);
  return { kind: 'exists', ...source.rows };
}
