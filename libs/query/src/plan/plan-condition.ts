import type { BoundCondition } from '../resolve/bound-condition.ts';
import { selfOf } from '../resolve/language/self.ts';
import type { Visibility } from '../secure/visibility.ts';
import { planMembers } from './conditions/plan-members.ts';
import { planOwned } from './conditions/plan-owned.ts';
import { planPath, planPaths } from './conditions/plan-paths.ts';
import { planSearchCondition } from './conditions/plan-search.ts';
import { PlanLevel } from './language/plan-level.ts';
import { planTest } from './language/plan-test.ts';
import type { SqlCondition } from './read-plan.ts';
import { familyNames, type RowSource, rejoinByKey } from './row-source.ts';

/**
 * Plans a condition over the rows of a source. To-one references become left joins of the source,
 * to-many references and element collections sub-selects (contract/filters.md#paths).
 *
 * @param source the rows that paths begin at; in a query, those of its variables do
 * @param visibility whose rows the joined and sub-selected tables show
 * @param within the query of the condition
 */
export function planCondition(
  condition: BoundCondition,
  source: RowSource | undefined,
  visibility: Visibility,
  within?: PlanLevel,
): SqlCondition {
  switch (condition.kind) {
    case 'constant':
      return condition;
    case 'and':
    case 'or':
      return planGroup(condition, source, visibility, within);
    case 'not':
      return { kind: 'not', condition: planCondition(condition.condition, source, visibility, within) };
    case 'descendant':
      return planDescendant(condition, rowOf(condition, source, within), visibility);
    case 'owned':
      return planOwned(condition, rowOf(condition, source, within), visibility);
    case 'members':
      return planMembers(condition, rowOf(condition, source, within), visibility);
    case 'search':
      return planSearchCondition(condition, rowOf(condition, source, within), visibility);
    case 'test':
      return planPath(condition, rowOf(condition, source, within), visibility);
    default:
      return planTest(condition, within ?? levelOf(source, visibility));
  }
}

type Group = Extract<BoundCondition, { kind: 'and' | 'or' }>;

/** Plans the members of a group. Tests are planned together, because they share tables (`plan-paths.ts`). */
function planGroup(
  group: Group,
  source: RowSource | undefined,
  visibility: Visibility,
  within: PlanLevel | undefined,
): SqlCondition {
  const { kind } = group;
  const parts = membersOf(group);
  const others = (from: number, to?: number): readonly SqlCondition[] =>
    parts.slice(from, to).flatMap((part) => {
      return part.kind === 'test' ? [] : [planCondition(part, source, visibility, within)];
    });
  const first = parts.findIndex((part) => part.kind === 'test');
  if (first < 0)
    return { kind, conditions: group.conditions.map((part) => planCondition(part, source, visibility, within)) };
  const before = others(0, first);
  const tests = parts.filter((part) => part.kind === 'test');
  const byRow = Map.groupBy(tests, (test) => rowOf(test, source, within));
  const planned = [...byRow].flatMap(([row, ofRow]) => planPaths(kind, ofRow, row, visibility));
  return { kind, conditions: [...before, ...planned, ...others(first)] };
}

/** The members of a group without groups of the same kind in it, and without groups of one member. */
const membersOf = ({ kind, conditions }: Group): readonly BoundCondition[] =>
  conditions.flatMap((condition) => {
    const part = withoutSingles(condition);
    return part.kind === kind ? membersOf(part) : [part];
  });

/** A group of one member is that member, however deep. */
function withoutSingles(condition: BoundCondition): BoundCondition {
  if (condition.kind !== 'and' && condition.kind !== 'or') return condition;
  const [only] = condition.conditions;
  return condition.conditions.length === 1 && only !== undefined ? withoutSingles(only) : condition;
}

/** The row that a condition of a filter or policy is about. */
function rowOf(
  condition: Extract<BoundCondition, { kind: 'test' | 'members' | 'search' | 'descendant' | 'owned' }>,
  source: RowSource | undefined,
  within: PlanLevel | undefined,
): RowSource {
  const root = 'path' in condition ? condition.path.root : condition.entity;
  const row = source ?? within?.sourceOf(selfOf(root));
  if (row === undefined) throw new Error(`There is no row of ${root.name}`);
  return row;
}

/** Tests of a policy are about the row itself. */
function levelOf(source: RowSource | undefined, visibility: Visibility): PlanLevel {
  if (source === undefined) throw new Error('A test needs a row');
  return new PlanLevel(source.context, visibility, undefined, source);
}

function planDescendant(
  { entity, condition }: Extract<BoundCondition, { kind: 'descendant' }>,
  source: RowSource,
  visibility: Visibility,
): SqlCondition {
  const discriminator = source.discriminator();
  if (discriminator === undefined) throw new Error(`${source.entity.name} has no descendants`);
  const row = rejoinByKey(source, entity);
  row.restrict([planCondition(condition, row, visibility)]);
  const names = familyNames(source.model, entity);
  return {
    kind: 'or',
    conditions: [
      { kind: 'not', condition: { kind: 'named', column: discriminator, names } },
      { kind: 'exists', ...row.rows },
    ],
  };
}
