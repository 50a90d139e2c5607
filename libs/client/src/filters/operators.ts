import type { Operand } from '../model/input.ts';
import type {
  AnyCondition,
  AttributeCondition,
  Condition,
  ConditionGroup,
  MembersCondition,
  RelativeTime,
} from './condition.ts';
import { type Path, pathIn, pathsOf, textOfPath } from './paths.ts';

type Term = AnyCondition;
/** What `and` and `or` skip, so that conditions may depend on an input: `text && contains(order.notes, text)`. */
type Skipped = undefined | null | false | '' | 0;

const group =
  (kind: 'AND' | 'OR' | 'NOT') =>
  (...terms: readonly (Term | Skipped)[]): ConditionGroup => ({
    group: kind,
    conditions: terms.filter((term): term is Term => typeof term === 'object' && term !== null),
  });

const compare =
  (operator: string) =>
  (path: Path<unknown, unknown>, value: unknown): Condition | AttributeCondition => {
    const other = pathIn(value);
    return { property: textOfPath(path), operator, ...(other === undefined ? { value } : { valueOf: other }) };
  };

/** A value, or another attribute. */
type Other<V> = Operand<NoInfer<V>> | Path<NoInfer<V>, unknown>;
type Equal = <V>(path: Path<V, unknown>, value: Other<V> | RelativeTime) => Condition | AttributeCondition;
type Ordered = <V>(path: Path<V, 'ordered'>, value: Other<V> | RelativeTime) => Condition | AttributeCondition;
type OneOf = <V>(path: Path<V, unknown>, values: readonly Operand<NoInfer<V>>[]) => Condition;
type Text = (path: Path<unknown, 'text'>, value: string) => Condition;
type Presence = (path: Path<unknown, unknown>) => Condition;

const presence =
  (operator: string): Presence =>
  (path) => ({ property: textOfPath(path), operator, value: true });

/** All terms hold. Terms that are no conditions are skipped. */
export const and = group('AND');
const anyOf = group('OR');
/**
 * One of the terms holds. Terms that are no conditions are skipped.
 *
 * @throws TypeError if no term is left: the API would select everything
 */
export const or: typeof anyOf = (...terms) => {
  const alternatives = anyOf(...terms);
  if (alternatives.conditions.length === 0) throw new TypeError('or() has no condition');
  return alternatives;
};
const noneHolds = group('NOT');
/**
 * None of the terms holds. Terms that are no conditions are skipped.
 *
 * @throws TypeError if no term is left: the API would select everything
 */
export const not: typeof noneHolds = (...terms) => {
  const excluded = noneHolds(...terms);
  if (excluded.conditions.length === 0) throw new TypeError('not() has no condition');
  return excluded;
};
/** The value is equal. */
export const eq = compare('=') as Equal;
/** Never holds for an attribute without a value. */
export const ne = compare('<>') as Equal;
/** The value is greater. */
export const gt = compare('>') as Ordered;
/** The value is greater or equal. */
export const gte = compare('>=') as Ordered;
/** The value is less. */
export const lt = compare('<') as Ordered;
/** The value is less or equal. */
export const lte = compare('<=') as Ordered;
/** The value is one of an array; an empty array selects nothing. */
export const oneOf = compare('in') as OneOf;
/** The value is none of an array. Never holds for an attribute without a value. */
const noneOf = compare('notIn') as OneOf;
/** The text contains another one, in any case of letters. */
export const contains = compare('contains') as Text;
/** The text does not contain another one. Never holds for an attribute without a value. */
export const doesNotContain = compare('doesNotContain') as Text;
/** The text begins with another one, in any case of letters. */
export const startsWith = compare('startsWith') as Text;
/** The text ends with another one, in any case of letters. */
export const endsWith = compare('endsWith') as Text;
/** The attribute has no value; of a collection: it is empty. */
export const isNull = presence('isNull');
/** The attribute has a value; the empty text is one. */
export const notNull = presence('notEmpty');

type Branch = (path: Path<unknown, unknown>, id: string | number, depth?: number) => Condition;

const branch =
  (operator: string): Branch =>
  (path, value, depth) => ({ property: textOfPath(path), operator, value, ...(depth !== undefined && { depth }) });
/** The instance of a tree is the one with the id, or below it; with a depth, at most so many levels. */
const under = branch('under');
/** The instance of a tree is the one with the id, or above it; with a depth, at most so many levels. */
const above = branch('above');

type Collection = Path<unknown, unknown>;
/** The condition gets the paths of a member. */
type Members = <P extends Collection>(path: P, condition?: (member: P) => Term) => MembersCondition;

const members =
  (quantifier: string): Members =>
  (path, condition) =>
    ({
      [quantifier]: textOfPath(path),
      ...(condition && { conditions: [condition(pathsOf())] }),
    }) as unknown as MembersCondition;

/** One member of the collection satisfies the condition, as a whole: `some(order.lines, (line) => eq(line.quantity, 1))`. */
const some = members('some');
/** Every member of the collection satisfies the condition; holds for an empty one. */
const every = members('every');
/** No member of the collection satisfies the condition. */
const none = members('none');
type Counted = <P extends Collection>(
  path: P,
  operator: '=' | '<>' | '>' | '>=' | '<' | '<=',
  value: number,
  condition?: (member: P) => Term,
) => MembersCondition;
/** So many members of the collection satisfy the condition: `count(order.lines, '>', 3)`. */
const count: Counted = (path, operator, value, condition) =>
  ({ ...members('count')(path, condition), operator, value }) as MembersCondition;

/** All operators, which the function of a filter gets. */
export const operators = {
  and,
  or,
  not,
  eq,
  ne,
  gt,
  gte,
  lt,
  lte,
  oneOf,
  noneOf,
  contains,
  doesNotContain,
  startsWith,
  endsWith,
  isNull,
  notNull,
  under,
  above,
  some,
  every,
  none,
  count,
};
/** The functions that make conditions, as a filter function receives them: `(order, { eq }) => eq(order.status, 'NEW')`. */
export type Operators = typeof operators;
