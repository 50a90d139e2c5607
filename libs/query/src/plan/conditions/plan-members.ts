import type { ElementsAttribute, ReferenceAttribute } from '@lintel/metadata';
import type { BoundMembers } from '../../resolve/bound-condition.ts';
import type { Visibility } from '../../secure/visibility.ts';
import { valueParameter } from '../parameter.ts';
import type { SqlCondition } from '../read-plan.ts';
import { type RowSource, sameColumns } from '../row-source.ts';
import { follow, isWhole, type Members, reachMembers, withoutLink } from './plan-paths.ts';

type SqlExpression = Extract<SqlCondition, { kind: 'relation' }>['left'];

const LONG = { kind: 'datatype', datatype: 'long' } as const;
const ROWS: SqlExpression = { kind: 'aggregate', name: 'count', distinct: false, args: [] };
const ZERO: SqlExpression = { kind: 'number', value: 0 };

/**
 * Plans a test of the visible members of a collection: an `EXISTS`, or their number. Below collections of shared owners
 * the members of all owners are counted once, for the same reason as in `planPaths`.
 */
export function planMembers(
  { path, quantifier, condition }: BoundMembers,
  source: RowSource,
  visibility: Visibility,
): SqlCondition {
  const { spot } = follow({ path, at: 0 }, { source, prefix: '', ...source.sharing }, visibility);
  const attribute = path.leaf.attribute as ReferenceAttribute | ElementsAttribute;
  const members = reachMembers({ spot, attribute, tests: [] }, { visibility, existsCount: 0 });
  const where = [...members.where, ...keptBy(members, condition, quantifier.kind === 'every', visibility)];
  const rows = { ...members, where };
  const isCounted = isWhole(spot, visibility) && members.link.length > 0;
  const number = (): SqlExpression => (isCounted ? joinCount(spot.source, rows) : countOf(rows));
  if (quantifier.kind === 'count') {
    const right: SqlExpression = { kind: 'parameter', parameter: valueParameter(quantifier.value, LONG) };
    return { kind: 'relation', left: number(), operator: quantifier.operator, right };
  }
  const some: SqlCondition = isCounted
    ? { kind: 'relation', left: number(), operator: '>', right: ZERO }
    : { kind: 'exists', from: rows.from, where };
  return quantifier.kind === 'some' ? some : { kind: 'not', condition: some };
}

/** The condition of a member that satisfies the one of the request; `negated`, of one that does not. */
function keptBy(
  { spot }: Members,
  condition: BoundMembers['condition'],
  negated: boolean,
  visibility: Visibility,
): readonly SqlCondition[] {
  if (spot === undefined || condition === undefined) return [];
  const { source: member, isShared, repeats } = spot;
  member.sharing = { isShared, repeats };
  const planned = member.context.planCondition(condition, member, visibility);
  return [negated ? { kind: 'not-true', condition: planned } : planned];
}

const countOf = ({ from, where }: Members): SqlExpression => ({
  kind: 'select',
  select: { distinct: false, columns: [{ expression: ROWS, name: 'n' }], from, where, groupBy: [], having: [] },
});

/** Joins the numbers of all owners and returns the one of the row. */
function joinCount(owner: RowSource, { from, link, where }: Members): SqlExpression {
  const alias = owner.context.aliases.next();
  const keys = link.map(({ left }, at) => ({ expression: { kind: 'column', column: left } as const, name: `k${at}` }));
  const table = {
    distinct: false,
    columns: [...keys, { expression: ROWS, name: 'n' }],
    from,
    where: withoutLink(where, link),
    groupBy: keys.map(({ expression }) => expression),
    having: [],
  };
  const on = sameColumns(
    keys.map(({ name }) => ({ alias, name })),
    link.map(({ right }) => right),
  );
  owner.join('left', { from: { table, alias, joins: [] }, where: on });
  return { kind: 'call', name: 'COALESCE', args: [{ kind: 'column', column: { alias, name: 'n' } }, ZERO] };
}
