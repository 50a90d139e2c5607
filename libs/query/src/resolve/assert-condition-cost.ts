import { isToMany } from '@lintel/metadata';
import { assertLimit, type QueryLimits } from '../limits/query-limits.ts';
import type { BoundCondition, BoundPath } from './bound-condition.ts';
import type { BoundSelect } from './language/bound-select.ts';
import { type BoundVisitor, walkCondition, walkSelect } from './language/walk-bound.ts';
import type { ResolvedSortKey } from './resolved-query.ts';

/** A filter and the order of what it selects. */
interface Selected {
  readonly filter: BoundCondition | undefined;
  readonly sort: readonly ResolvedSortKey[];
}

/**
 * Refuses filters and sorts whose paths together exceed the limit: those of the rows, and of collections in them. Each
 * single path was checked when it was bound.
 *
 * @throws PlatformError REQ_COST_EXCEEDED
 */
export function assertConditionCost(selections: readonly Selected[], limits: QueryLimits): void {
  let hops = 0;
  let steps = 0;
  let keys = 0;
  for (const { filter, sort } of selections) {
    keys += sort.length;
    hops += sort.reduce((sum, { path }) => sum + hopsOf(path), 0);
    // Each dynamic attribute that sorts is a join of the table with all of their values.
    steps += sort.filter(({ path }) => path.leaf.kind === 'elements').length;
    if (filter === undefined) continue;
    walkCondition(filter, { path: (path) => (hops += hopsOf(path)) });
    steps += toManySteps(filter);
  }
  assertLimit(limits, 'conditions', keys, 'keys of the sort');
  assertLimit(limits, 'conditionHops', hops);
  assertLimit(limits, 'toManySteps', steps);
}

/**
 * The same for a query of the entity query language, whose joins are ranges of their own.
 *
 * @throws PlatformError REQ_COST_EXCEEDED
 */
export function assertSelectCost(select: BoundSelect, limits: QueryLimits): void {
  let hops = 0;
  const visitor: BoundVisitor = {
    path: (path) => {
      assertLimit(limits, 'pathHops', hopsOf(path), path.text);
      hops += hopsOf(path);
    },
  };
  walkSelect(select, visitor);
  assertLimit(limits, 'conditionHops', hops);
}

/** References that are followed on the way; a to-one reference at the end is compared by its key. */
const hopsOf = ({ steps, leaf }: BoundPath): number =>
  steps.filter(({ attribute }) => attribute.kind === 'reference').length +
  (leaf.attribute.kind === 'reference' && isToMany(leaf.attribute) ? 1 : 0);

/**
 * Steps through collections. A prefix that several conditions of one OR group share counts once: whichever member of
 * the collection keeps one of them keeps the group. Under AND each condition may be kept by another member.
 */
export function toManySteps(condition: BoundCondition): number {
  switch (condition.kind) {
    case 'or': {
      const shared = new Set<string>();
      let steps = 0;
      for (const part of condition.conditions)
        if (part.kind === 'test') for (const prefix of manyPrefixesOf(part.path)) shared.add(prefix);
        else steps += toManySteps(part);
      return steps + shared.size;
    }
    case 'and':
      return condition.conditions.reduce((sum, part) => sum + toManySteps(part), 0);
    case 'not':
    case 'descendant':
      return toManySteps(condition.condition);
    case 'test':
      return manyPrefixesOf(condition.path).length + Number(condition.test.kind === 'tree');
    case 'members':
      return 1 + (condition.condition === undefined ? 0 : toManySteps(condition.condition));
    default:
      // Only policies and queries contain tests of the entity query language.
      return 0;
  }
}

/** For each step through a collection the path up to it. */
function manyPrefixesOf({ steps, leaf }: BoundPath): readonly string[] {
  const prefixes: string[] = [];
  let text = '';
  for (const { attribute } of [...steps, leaf]) {
    text += `.${attribute.name}`;
    if (attribute.kind === 'elements' || isToMany(attribute)) prefixes.push(text);
  }
  return prefixes;
}
