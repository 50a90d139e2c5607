import type { ExactJson } from '../json/exact-json.ts';
import type { Expression, PathExpression, SourcePosition } from './expression.ts';
import type { SelectQuery } from './select-query.ts';
import type { ObjectShape, ValueShape } from './value-shape.ts';

/**
 * The parsed tree that JSON filters, row-level query policies, predefined queries and report data sets
 * share. Nodes are frozen readonly records with a `kind`. Paths are dotted attribute names from the
 * entity the condition is about; `resolve` binds them to the model.
 */

/** A value in a condition. Values are always statement parameters, never text. */
export type Value =
  /** A constant of a policy or query, in its JSON form; typed by the attribute it is compared with. */
  | { readonly kind: 'literal'; readonly value: unknown }
  /** A value the server fills in: `current_user_country`, `current_user_username`, `session_<attr>`. */
  | { readonly kind: 'parameter'; readonly name: string }
  /** The value number `index` of the request; kept out of the tree, so that equal shapes are equal trees. */
  | {
      readonly kind: 'input';
      readonly index: number;
      /** Of an object. */
      readonly shape?: ObjectShape;
      /** The value is the one at this path of names. */
      readonly at?: readonly string[];
      /** The value itself, of a filter that the application declares: no request has it. */
      readonly declared?: ExactJson;
    };

/** Like `input`, but the request's value is a list; only in an `in`. */
export interface InputList {
  readonly kind: 'input-list';
  readonly index: number;
  /** As the client wrote it; for the error when the value is no list. */
  readonly operator: string;
  /** The different shapes of the items; absent if none is an object. */
  readonly shapes?: readonly ValueShape[];
  /** As in `input`. */
  readonly declared?: readonly ExactJson[];
  /** The list is of the values at this path of names, in the items of that shape (`shapeKeyOf`). */
  readonly at?: { readonly shape: string; readonly names: readonly string[] };
}

/** Operators that compare a value with a literal of its type. */
export type ComparisonOperator = '=' | '<>' | '>' | '>=' | '<' | '<=';
/** Operators that search in texts. */
export type TextOperator = 'contains' | 'doesNotContain' | 'startsWith' | 'endsWith';

/** Operators of instances in a tree. */
export type TreeOperator = 'under' | 'above';

/** A test of the instances of an entity, whose names are not resolved yet. */
export type Condition =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'and'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  | {
      readonly kind: 'comparison';
      readonly path: string;
      readonly operator: ComparisonOperator;
      readonly value: Value;
    }
  /** Case-insensitive; the value is matched literally (contract/decisions.md#11). */
  | { readonly kind: 'text'; readonly path: string; readonly operator: TextOperator; readonly value: Value }
  | {
      readonly kind: 'in';
      readonly path: string;
      readonly negated: boolean;
      readonly values: readonly (Value | InputList)[];
    }
  | { readonly kind: 'null'; readonly path: string; readonly negated: boolean }
  /** The instance of a tree is the one that the value names, or below or above it. */
  | {
      readonly kind: 'tree';
      readonly path: string;
      readonly operator: TreeOperator;
      readonly value: Value;
      /** Levels to the instance that the value names; all without it. */
      readonly depth?: number;
    }
  /** A comparison of two attributes; only filters have it. */
  | {
      readonly kind: 'attributes';
      readonly path: string;
      readonly operator: ComparisonOperator;
      readonly other: string;
    }
  | SearchCondition
  | MembersCondition
  | RowCondition
  | LanguageCondition;

/** The words of value `index` of the request are in the searchable attributes; the parameter `q` of a request is one. */
export interface SearchCondition {
  readonly kind: 'search';
  readonly index: number;
}

/** A test of the members of a collection, each of which is tested as a whole; only filters have it. */
export interface MembersCondition {
  readonly kind: 'members';
  /** Path of the collection. */
  readonly path: string;
  readonly quantifier: MemberQuantifier<Value>;
  /** Condition over the paths of a member; without it all members satisfy it. */
  readonly condition: Condition | undefined;
}

/** Number of members that must satisfy the condition; `every` one of no members does. */
export type MemberQuantifier<V> =
  | { readonly kind: 'some' | 'every' | 'none' }
  | { readonly kind: 'count'; readonly operator: ComparisonOperator; readonly value: V };

/** What the row conditions of one entity say about those of others; no text has them. */
export type RowCondition =
  /** True for every instance that is not of `entity`; for the others, `condition` decides. */
  | { readonly kind: 'descendant'; readonly entity: string; readonly condition: Condition }
  /** The instance is a child of an owner that satisfies `rows`: one of them suffices. */
  | { readonly kind: 'owned'; readonly by: readonly OwnedBy[] };

/** A composition, and the row condition of the entity that has it; absent if all of its rows are visible. */
export interface OwnedBy {
  readonly owner: string;
  readonly attribute: string;
  readonly rows: Condition | undefined;
}

/** Tests that only the entity query language has: tests of expressions over its variables. */
export type LanguageCondition =
  | {
      readonly kind: 'relation';
      readonly left: Expression;
      readonly operator: ComparisonOperator;
      readonly right: Expression;
      /** The right side is a subquery, of whose values all or any must keep the relation. */
      readonly quantifier: 'all' | 'any' | undefined;
      readonly position: SourcePosition;
    }
  | {
      readonly kind: 'like';
      readonly text: Expression;
      readonly pattern: Expression;
      readonly escape: Expression | undefined;
      readonly negated: boolean;
      readonly position: SourcePosition;
    }
  /** The value is one of several: a list, a collection parameter or a subquery alone in it. */
  | {
      readonly kind: 'among';
      readonly value: Expression;
      readonly items: readonly Expression[];
      readonly negated: boolean;
      readonly position: SourcePosition;
    }
  /** As `tree`, of two instances. */
  | {
      readonly kind: 'branch';
      readonly value: Expression;
      readonly operator: TreeOperator;
      readonly of: Expression;
      readonly position: SourcePosition;
    }
  | {
      readonly kind: 'absent';
      readonly value: Expression;
      readonly negated: boolean;
      readonly position: SourcePosition;
    }
  | {
      readonly kind: 'empty';
      readonly collection: PathExpression;
      readonly negated: boolean;
      readonly position: SourcePosition;
    }
  | {
      readonly kind: 'member';
      readonly value: Expression;
      readonly collection: PathExpression;
      readonly negated: boolean;
      readonly position: SourcePosition;
    }
  | { readonly kind: 'exists'; readonly select: SelectQuery; readonly position: SourcePosition };
