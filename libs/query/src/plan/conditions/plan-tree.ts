import type { ReferenceAttribute } from '@lintel/metadata';
import type { BoundTree } from '../../resolve/bound-condition.ts';
import type { Visibility } from '../../secure/visibility.ts';
import type { SqlCondition } from '../read-plan.ts';
import { openRows, type RowSource, sameColumns } from '../row-source.ts';
import type { StatementContext } from '../statement-context.ts';

type SqlExpression = Extract<SqlCondition, { kind: 'relation' }>['left'];

interface TreeContext {
  readonly context: StatementContext;
  readonly visibility: Visibility;
  /** `isFirst` depends on no row of the statement. */
  readonly isFixed?: boolean;
}

/**
 * Plans the test that an instance is in a branch of a tree: a recursive query over the visible instances, from the one
 * that `isFirst` accepts, to their children or parents. It is a path of any length, so deleted parents are followed, as
 * other paths do (contract/filters.md#trees).
 */
export function planTree(
  { operator, parent, depth }: BoundTree,
  value: SqlExpression,
  { context, visibility, isFixed = false }: TreeContext,
  isFirst: (source: RowSource) => SqlCondition,
): SqlCondition {
  const attribute = parent.leaf.attribute as ReferenceAttribute;
  const alias = context.aliases.next();
  const branch = (name: string) => [{ alias, name }];
  const open = (conditions: (source: RowSource) => readonly SqlCondition[]) => {
    const { source } = openRows(parent.root, context, visibility, { deleted: 'shown' });
    const link = source.columns(attribute, '');
    source.restrict(conditions(source));
    const columns = [...source.keyColumns(), ...link].map((column) => ({ kind: 'column', column }) as const);
    return { ...source.rows, columns };
  };
  const first = open((source) => [isFirst(source)]);
  const next = open((source) =>
    operator === 'under'
      ? sameColumns(source.columns(attribute, ''), branch('key'))
      : sameColumns(source.keyColumns(), branch('link')),
  );
  return { kind: 'in-branch', value, alias, first, next, depth, isFixed };
}
