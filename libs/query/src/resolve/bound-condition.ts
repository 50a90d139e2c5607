import type {
  DatatypeAttribute,
  DynamicAttribute,
  ElementsAttribute,
  EmbeddedAttribute,
  Entity,
  EnumAttribute,
  Ownership,
  ReferenceAttribute,
} from '@lintel/metadata';
import type {
  ComparisonOperator,
  InputList,
  MemberQuantifier,
  SearchCondition,
  TextOperator,
  TreeOperator,
  Value,
} from '../ast/condition.ts';
import type { LiteralType } from '../literals/literal-type.ts';
import type { BoundExpression, Variable } from './language/bound-expression.ts';
import type { BoundSelect } from './language/bound-select.ts';

/** One step of a path, from `owner` through a reference or an embedded attribute to `target`. */
export interface PathStep {
  readonly owner: Entity;
  readonly attribute: ReferenceAttribute | EmbeddedAttribute;
  readonly target: Entity;
}

/** The attribute at the end of a path; `owner` is the entity or embeddable that has it. */
export type PathLeaf =
  | {
      readonly kind: 'value';
      readonly owner: Entity;
      readonly attribute: DatatypeAttribute | EnumAttribute;
      readonly type: LiteralType;
      /** The path into the value of a JSON attribute: names of members, indexes of elements. */
      readonly inside?: readonly string[];
    }
  | {
      readonly kind: 'elements';
      readonly owner: Entity;
      readonly attribute: ElementsAttribute;
      readonly type: LiteralType;
      /** The values are those of a dynamic attribute, of which `attribute` has the name and the type. */
      readonly dynamic?: { readonly definition: DynamicAttribute; readonly target: Entity | undefined };
    }
  /** A reference, compared by the target's key. */
  | {
      readonly kind: 'reference';
      readonly owner: Entity;
      readonly attribute: ReferenceAttribute;
      readonly target: Entity;
    }
  /** An embedded object, or the composite key of its owner. */
  | {
      readonly kind: 'embedded';
      readonly owner: Entity;
      readonly attribute: EmbeddedAttribute;
      readonly target: Entity;
    };

/** A path whose names are bound to the model. */
export interface BoundPath {
  readonly text: string;
  readonly root: Entity;
  readonly steps: readonly PathStep[];
  readonly leaf: PathLeaf;
}

/** The values with which a leaf is compared. The leaf determines their types. */
export type LeafTest =
  | { readonly kind: 'comparison'; readonly operator: ComparisonOperator; readonly value: Value }
  | { readonly kind: 'text'; readonly operator: TextOperator; readonly value: Value }
  | { readonly kind: 'in'; readonly negated: boolean; readonly values: readonly (Value | InputList)[] }
  | { readonly kind: 'null'; readonly negated: boolean }
  | ({ readonly kind: 'tree'; readonly value: Value } & BoundTree)
  | EmbeddedTest;

/** The direction in a tree, and the path of its instances to their parents. */
export interface BoundTree {
  readonly operator: TreeOperator;
  readonly parent: BoundPath;
  /** Levels that are followed; all without it. */
  readonly depth?: number | undefined;
}

/** The embedded object is equal to one of the objects in each attribute that these have; negated, to none. */
export interface EmbeddedTest {
  readonly kind: 'embedded';
  readonly negated: boolean;
  readonly objects: readonly (readonly BoundMember[])[];
}

/** An attribute of an embedded object, and what it is compared with. */
export type BoundMember = { readonly path: BoundPath } & (
  | { readonly kind: 'null' }
  | { readonly kind: 'value'; readonly value: Value | InputList }
  | { readonly kind: 'members'; readonly members: readonly BoundMember[] }
);

/** A condition whose paths are bound and whose operators fit the types. */
export type BoundCondition =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly BoundCondition[] }
  | { readonly kind: 'not'; readonly condition: BoundCondition }
  | { readonly kind: 'test'; readonly path: BoundPath; readonly test: LeafTest }
  /** True for every instance that is not of `entity`; for the others, `condition` decides. */
  | { readonly kind: 'descendant'; readonly entity: Entity; readonly condition: BoundCondition }
  /** The instance of `entity` is a child of an owner that satisfies `rows`: one of them suffices. */
  | { readonly kind: 'owned'; readonly entity: Entity; readonly by: readonly BoundOwner[] }
  | BoundSearch
  | BoundMembers
  | BoundLanguageCondition;

/** The words of value `index` of the request are in attributes of the instance of `entity`, which has searchable ones. */
export type BoundSearch = SearchCondition & { readonly entity: Entity };

/** A test of the members of the collection at the end of a path without collections before it. */
export interface BoundMembers {
  readonly kind: 'members';
  readonly path: BoundPath;
  readonly quantifier: MemberQuantifier<Value>;
  readonly condition: BoundCondition | undefined;
}

/** A composition, and the row condition of its owner. */
export interface BoundOwner extends Ownership {
  readonly rows: BoundCondition | undefined;
}

/** Tests of the entity query language. */
export type BoundLanguageCondition =
  | {
      readonly kind: 'relation';
      readonly left: BoundExpression;
      readonly operator: ComparisonOperator;
      readonly right: BoundExpression;
      readonly quantifier: 'all' | 'any' | undefined;
    }
  | {
      readonly kind: 'like';
      readonly text: BoundExpression;
      readonly pattern: BoundExpression;
      readonly escape: BoundExpression | undefined;
      readonly negated: boolean;
    }
  | {
      readonly kind: 'among';
      readonly value: BoundExpression;
      readonly items: readonly BoundExpression[];
      readonly negated: boolean;
    }
  /** The value is in the collection that is value `index` of the query's declared parameters. */
  | {
      readonly kind: 'among-argument';
      readonly value: BoundExpression;
      readonly index: number;
      readonly type: LiteralType;
      readonly isOpen: boolean;
      readonly negated: boolean;
    }
  | {
      readonly kind: 'among-select';
      readonly value: BoundExpression;
      readonly select: BoundSelect;
      readonly negated: boolean;
    }
  | ({ readonly kind: 'branch'; readonly value: BoundExpression; readonly of: BoundExpression } & BoundTree)
  | { readonly kind: 'absent'; readonly value: BoundExpression; readonly negated: boolean }
  | { readonly kind: 'empty'; readonly variable: Variable; readonly path: BoundPath; readonly negated: boolean }
  | {
      readonly kind: 'member';
      readonly value: BoundExpression;
      readonly variable: Variable;
      readonly path: BoundPath;
      readonly negated: boolean;
    }
  | { readonly kind: 'exists'; readonly select: BoundSelect };
