import { type ElementsAttribute, embeddedPrefix, isArray, type ReferenceAttribute } from '@lintel/metadata';
import type { BoundPath, LeafTest, PathLeaf } from '../../resolve/bound-condition.ts';
import type { Visibility } from '../../secure/visibility.ts';
import { joinOne, reach, reachElements } from '../joins/plan-joins.ts';
import { reachDynamicTargets, reachDynamicValues } from '../joins/reach-dynamic.ts';
import type { Rows, SqlCondition } from '../read-plan.ts';
import { type RowSource, type SameColumns, type Sharing, sameColumns } from '../row-source.ts';
import { arrayTest } from './plan-array-test.ts';
import { instanceTest, planLeaf, scalarTest } from './plan-leaf.ts';

/** A test of what a path leads to. */
export interface PathTest {
  readonly path: BoundPath;
  readonly test: LeafTest;
}

/** A test whose path was followed to step `at`. */
interface Located extends PathTest {
  readonly at: number;
  /** Number of the test among those that are planned together. */
  readonly index: number;
}

/** The row that a path has led to. */
interface Spot extends Sharing {
  readonly source: RowSource;
  /** Of the embedded attributes passed since the last table. */
  readonly prefix: string;
}

type DynamicValueSet = NonNullable<Extract<PathLeaf, { kind: 'elements' }>['dynamic']>;

/** Tests of one collection of one row. */
interface Collected {
  readonly spot: Spot;
  readonly attribute: ReferenceAttribute | ElementsAttribute;
  readonly tests: readonly Located[];
}

interface Context {
  readonly visibility: Visibility;
  /** Number of `EXISTS` planned so far. */
  existsCount: number;
}

/** More tests of one collection are tallied: each `EXISTS` is a scan of its own. */
const MAX_SEPARATE_TESTS = 4;
/** Of those, so many keep an `EXISTS` where an index may find the members: the database can begin with them. */
const MAX_INDEXED_TESTS = 2;
/** PostgreSQL makes semi-joins of so many. The time and memory that it plans them in grow with the third power. */
const MAX_SEMI_JOINS = 8;
/** An `EXISTS` visits a row of the last collection up to (rows of a collection) ^ (this number) times. */
const MAX_REPEATS = 1;

const NEVER: SqlCondition = Object.freeze({ kind: 'constant', value: false });
const ALWAYS: SqlCondition = Object.freeze({ kind: 'constant', value: true });

/**
 * Plans tests about one row that an AND or an OR joins. To-one references become left joins of the source, which all
 * tests share. A test of a collection asks whether some member keeps it (contract/filters.md#paths), in one of three
 * forms (docs/adr/0033):
 *
 * - an `EXISTS`; one serves all tests of a collection that an OR joins
 * - a tally, where an AND joins more than `MAX_SEPARATE_TESTS` tests of a collection: one pass over its members finds
 *   all results
 * - a tally of the whole table, where the path has passed more than `MAX_REPEATS` collections of shared owners: as
 *   nested `EXISTS`, the cost would grow exponentially with such steps
 *
 * Conditions of policies do not use the third form, since they are part of reads of single rows.
 */
export function planPaths(
  kind: 'and' | 'or',
  tests: readonly PathTest[],
  source: RowSource,
  visibility: Visibility,
): readonly SqlCondition[] {
  const spot: Spot = { source, prefix: '', ...source.sharing };
  const located = tests.map((test, index): Located => ({ ...test, at: 0, index }));
  const context: Context = { visibility, existsCount: 0 };
  return kind === 'or' ? planAny(located, spot, context) : planEach(located, spot, context, MAX_INDEXED_TESTS);
}

/** Plans one test. */
export function planPath(test: PathTest, source: RowSource, visibility: Visibility): SqlCondition {
  const [condition] = planPaths('and', [test], source, visibility);
  if (condition === undefined) throw new Error(`The test of ${test.path.text} has no condition`);
  return condition;
}

/** Conditions joined by OR: one is true if one of the tests is true. */
function planAny(tests: readonly Located[], spot: Spot, context: Context): readonly SqlCondition[] {
  return collect(tests, spot, context.visibility).map((part) => ('leaf' in part ? part.leaf : planSome(part, context)));
}

/** A condition for each test. */
function planEach(
  tests: readonly Located[],
  spot: Spot,
  context: Context,
  maxIndexed: number,
): readonly SqlCondition[] {
  const numbers = new Map(tests.map(({ index }, at) => [index, at]));
  const planned = tests.map(() => NEVER);
  const set = ({ index }: Located, condition: SqlCondition): void => {
    planned[numbers.get(index) ?? 0] = condition;
  };
  for (const part of collect(tests, spot, context.visibility)) {
    if ('leaf' in part) {
      set(part.test, part.leaf);
      continue;
    }
    const isTallied = part.tests.length > MAX_SEPARATE_TESTS;
    const separate = isTallied ? part.tests.filter(isIndexed).slice(0, maxIndexed) : part.tests;
    for (const test of separate) set(test, planSome({ ...part, tests: [test] }, context));
    if (!isTallied) continue;
    const tallied = part.tests.filter((test) => !separate.includes(test));
    const conditions = planTally({ ...part, tests: tallied }, context);
    for (const [at, test] of tallied.entries()) set(test, conditions[at] ?? NEVER);
  }
  return planned;
}

/** Whether an index may find the rows that satisfy the test. */
const isIndexed = ({ test }: Located): boolean =>
  (test.kind === 'comparison' && test.operator === '=') ||
  (test.kind === 'text' && test.operator === 'startsWith') ||
  (test.kind === 'in' && !test.negated);

/** Follows each path to its end or its next collection. */
function collect(
  tests: readonly Located[],
  from: Spot,
  visibility: Visibility,
): readonly ({ readonly leaf: SqlCondition; readonly test: Located } | Collected)[] {
  const parts: ({ readonly leaf: SqlCondition; readonly test: Located } | Collected)[] = [];
  const groups = new Map<string, Located[]>();
  for (const given of tests) {
    const { spot, test } = follow(given, from, visibility);
    const { source, prefix } = spot;
    const attribute = collectionOf(test);
    if (attribute === undefined) {
      parts.push({ leaf: planLeaf(test.path.leaf, test.test, source, prefix, visibility), test });
      continue;
    }
    const name = `${source.alias} ${prefix}${attribute.name}`;
    const group = groups.get(name);
    if (group !== undefined) {
      group.push(test);
      continue;
    }
    const started = [test];
    groups.set(name, started);
    parts.push({ spot, attribute, tests: started });
  }
  return parts;
}

/** Passes the embedded attributes and to-one references of a path. */
export function follow<T extends Pick<Located, 'path' | 'at'>>(
  test: T,
  from: Spot,
  visibility: Visibility,
): { readonly spot: Spot; readonly test: T } {
  let { source, prefix, isShared } = from;
  let { at } = test;
  for (;;) {
    const attribute = test.path.steps[at]?.attribute;
    if (attribute === undefined) break;
    if (attribute.kind === 'embedded') {
      prefix = embeddedPrefix(attribute, prefix);
      at += 1;
      continue;
    }
    if (leadsToMany(attribute)) break;
    at += 1;
    source = joinOne(source, attribute, prefix, visibility);
    prefix = '';
    isShared ||= attribute.cardinality === 'MANY_TO_ONE';
  }
  return { spot: { source, prefix, isShared, repeats: from.repeats }, test: { ...test, at } };
}

const leadsToMany = ({ cardinality }: ReferenceAttribute): boolean =>
  cardinality === 'ONE_TO_MANY' || cardinality === 'MANY_TO_MANY';

/** The collection that the path has reached. */
function collectionOf({ path, at }: Located): ReferenceAttribute | ElementsAttribute | undefined {
  const attribute = path.steps[at]?.attribute ?? path.leaf.attribute;
  if (attribute.kind === 'elements') return attribute;
  return attribute.kind === 'reference' && leadsToMany(attribute) ? attribute : undefined;
}

const endsHere = ({ path, at }: Located): boolean => at >= path.steps.length;

/** The test on the collection that its path has reached. */
const beyond = (test: Located): Located => ({ ...test, at: test.at + 1 });

/** A test for null holds for an owner without members, too. */
const asksForNull = ({ test }: Located): boolean => test.kind === 'null' && !test.negated;

/** The members of a collection. */
export interface Members extends Rows {
  /** The conditions among those of the members by which they belong to the owner. */
  readonly link: readonly SameColumns[];
  /** Of references. */
  readonly spot: Spot | undefined;
  /** The condition of a test that the collection is the end of. */
  testOf(located: Located): SqlCondition;
}

export function reachMembers({ spot, attribute, tests }: Collected, { visibility }: Context): Members {
  const { source, prefix, isShared } = spot;
  const leaf = tests[0]?.path.leaf;
  if (leaf?.kind === 'elements' && leaf.dynamic !== undefined)
    return reachDynamicMembers(source, leaf, leaf.dynamic, visibility);
  if (attribute.kind === 'elements') {
    const { from, where, value } = reachElements(source, attribute);
    const testOf = ({ path: { leaf }, test }: Located): SqlCondition => {
      if (test.kind === 'null') return ALWAYS;
      if (leaf.kind !== 'elements') throw new Error(`${attribute.name} has no values`);
      return scalarTest(value, leaf.type, test);
    };
    return { from, link: where, where, spot: undefined, testOf };
  }
  const { source: member, link } = reach(source, attribute, prefix, visibility);
  const repeats = isShared ? spot.repeats + 1 : spot.repeats;
  return {
    ...member.rows,
    link,
    // The tally of a table begins at each of its rows once; what follows does not.
    spot: isWhole(spot, visibility)
      ? { source: member, prefix: '', isShared: false, repeats: MAX_REPEATS }
      : { source: member, prefix: '', isShared: isShared || attribute.cardinality === 'MANY_TO_MANY', repeats },
    testOf: ({ test }) =>
      test.kind === 'null' ? ALWAYS : instanceTest(source, member.entity, member.keyColumns(), test, visibility),
  };
}

/** The values of a dynamic attribute, or the instances that they refer to. */
function reachDynamicMembers(
  source: RowSource,
  { type }: Extract<PathLeaf, { kind: 'elements' }>,
  { definition, target }: DynamicValueSet,
  visibility: Visibility,
): Members {
  const values = reachDynamicValues(source, definition);
  const { from, link, isOfAttribute, value } = values;
  const where = [link, isOfAttribute];
  if (target === undefined) {
    const testOf = ({ test }: Located): SqlCondition => (test.kind === 'null' ? ALWAYS : scalarTest(value, type, test));
    return { from, link: [link], where, spot: undefined, testOf };
  }
  const { source: member } = reachDynamicTargets(source, values, where, target, visibility);
  const testOf = ({ test }: Located): SqlCondition =>
    test.kind === 'null' ? ALWAYS : instanceTest(source, target, member.keyColumns(), test, visibility);
  return { ...member.rows, link: [link], spot: undefined, testOf };
}

/** Whether the members of all owners are tallied. */
export const isWhole = ({ isShared, repeats }: Spot, visibility: Visibility): boolean =>
  isShared && repeats >= MAX_REPEATS && !visibility.isTrusted;

/** Some member keeps one of the tests. */
function planSome(group: Collected, context: Context): SqlCondition {
  const direct = planArray(group);
  if (direct !== undefined) return direct;
  const isTallied = isWhole(group.spot, context.visibility);
  const required = group.tests.filter((test) => !(endsHere(test) && asksForNull(test)));
  const some = required.length === 0 ? undefined : planHas(group, required, context, isTallied);
  if (some !== undefined && !group.tests.some(asksForNull)) return some;
  const none: SqlCondition = { kind: 'not', condition: planHas(group, [], context, isTallied) };
  return some === undefined ? none : { kind: 'or', conditions: [none, some] };
}

/** A single test of an array column that needs no rows of its elements. */
function planArray({ spot: { source }, attribute, tests }: Collected): SqlCondition | undefined {
  const [only, more] = tests;
  if (!isArray(attribute) || only === undefined || more !== undefined) return undefined;
  const [column] = source.columns(attribute, '');
  const { leaf } = only.path;
  return column === undefined || leaf.kind !== 'elements'
    ? undefined
    : arrayTest(attribute, column, leaf.type, only.test);
}

/** There is a member that keeps one of the tests; without tests, any member. */
function planHas(group: Collected, tests: readonly Located[], context: Context, isTallied: boolean): SqlCondition {
  const members = reachMembers(group, context);
  const kept = keptBy(tests, members, context);
  const where = [...members.where, ...kept];
  if (isTallied) return tally(group.spot.source, { ...members, where }, [ALWAYS], true)[0] ?? NEVER;
  context.existsCount += 1;
  const exists = { kind: 'exists', from: members.from, where } as const;
  return context.existsCount > MAX_SEMI_JOINS ? { ...exists, isApart: true } : exists;
}

/** The condition that one of the tests is kept; nothing where every member keeps it. */
function keptBy(tests: readonly Located[], members: Members, context: Context): readonly SqlCondition[] {
  const ends = tests.filter(endsHere).map(members.testOf);
  if (tests.length === 0 || ends.includes(ALWAYS)) return [];
  const further = tests.filter((test) => !endsHere(test));
  const conditions = [
    ...ends,
    ...(members.spot === undefined || further.length === 0 ? [] : planAny(further.map(beyond), members.spot, context)),
  ];
  return conditions.length === 1 ? conditions : [{ kind: 'or', conditions }];
}

/** A condition for each test of the collection, computed in one pass over its members. */
function planTally(group: Collected, context: Context): readonly SqlCondition[] {
  const members = reachMembers(group, context);
  const further = group.tests.filter((test) => !endsHere(test));
  const planned = members.spot === undefined ? [] : planEach(further.map(beyond), members.spot, context, 0);
  const conditions = group.tests.map((test) =>
    endsHere(test) ? members.testOf(test) : (planned[further.indexOf(test)] ?? NEVER),
  );
  const tests = group.tests.some(asksForNull) ? [...conditions, ALWAYS] : conditions;
  const flags = tally(group.spot.source, members, tests, isWhole(group.spot, context.visibility));
  const any = flags.at(-1) ?? NEVER;
  return group.tests.map((test, at) => {
    const flag = flags[at] ?? NEVER;
    if (!asksForNull(test)) return flag;
    const none: SqlCondition = { kind: 'not', condition: any };
    return endsHere(test) ? none : { kind: 'or', conditions: [none, flag] };
  });
}

/**
 * Joins a tally of the tests to the owner and returns their results.
 *
 * @param isWhole the members of all owners are tallied once, instead of those of each owner
 */
function tally(
  owner: RowSource,
  { from, link, where }: Pick<Members, 'from' | 'link' | 'where'>,
  tests: readonly SqlCondition[],
  isWhole: boolean,
): readonly SqlCondition[] {
  const alias = owner.context.aliases.next();
  const table = isWhole
    ? { from, where: withoutLink(where, link), keys: link.map(({ left }) => left), tests }
    : { from, where, keys: [], tests };
  const keys = table.keys.map((_, at) => ({ alias, name: `k${at}` }));
  const on = isWhole
    ? sameColumns(
        keys,
        link.map(({ right }) => right),
      )
    : [];
  owner.join('left', { from: { table, alias, joins: [] }, where: on });
  return tests.map((_, at) => ({ kind: 'flag', column: { alias, name: `b${at}` } }));
}

/** The conditions of members of any owner. */
export const withoutLink = (where: readonly SqlCondition[], link: readonly SqlCondition[]): readonly SqlCondition[] =>
  where.filter((condition) => !link.includes(condition));
