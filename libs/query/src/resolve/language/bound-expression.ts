import type { Entity } from '@lintel/metadata';
import type { AggregateName, ArithmeticOperator, TimeUnit, TrimSide } from '../../ast/expression.ts';
import type { LiteralType } from '../../literals/literal-type.ts';
import type { SqlValue } from '../../literals/parse-text.ts';
import type { BucketUnit } from '../../parse/parse-aggregates.ts';
import type { BoundCondition, BoundPath } from '../bound-condition.ts';
import type { BoundSelect } from './bound-select.ts';

/** What the values of an expression are. */
export type ValueType =
  | { readonly kind: 'scalar'; readonly type: LiteralType }
  /** An instance, compared by its key. */
  | { readonly kind: 'entity'; readonly entity: Entity }
  /** The entity that an instance is of. */
  | { readonly kind: 'entity-type'; readonly entity: Entity };

export type ScalarType = Extract<ValueType, { kind: 'scalar' }>;

/** A variable of `from`; the object itself is its identity, since a subquery may use its name again. */
export interface Variable {
  readonly name: string;
  readonly entity: Entity;
}

/** Functions that the planner supports. */
export type FunctionName =
  | 'lower'
  | 'upper'
  | 'length'
  | 'concat'
  | 'substring'
  | 'replace'
  | 'locate'
  | 'abs'
  | 'mod'
  | 'round'
  | 'sqrt'
  | 'floor'
  | 'ceiling'
  | 'coalesce'
  | 'nullif'
  | DateField;

export type DateField = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second';

/** Where an attribute is read: a path from a variable. */
export interface AttributeAccess {
  readonly variable: Variable;
  /** The to-one path to the instance that is taken for one of `entity`, from where `path` goes on. */
  readonly treated: { readonly path: BoundPath | undefined; readonly entity: Entity } | undefined;
  readonly path: BoundPath;
}

/** An expression whose names are bound and whose types fit. */
export type BoundExpression = { readonly type: ValueType } & (
  | ({ readonly kind: 'attribute' } & AttributeAccess)
  /** Value `index` of the request. */
  | { readonly kind: 'input'; readonly index: number }
  /** The smallest value that at least a fraction of the values does not exceed: value `at` of the request. */
  | { readonly kind: 'percentile'; readonly argument: BoundExpression; readonly at: number }
  /** The begin of the unit that a date or date-time lies in, by the clock of a zone. */
  | {
      readonly kind: 'bucket';
      readonly base: BoundExpression;
      readonly unit: BucketUnit;
      /** Value of the request; the zone of the user without it. */
      readonly zone: number | undefined;
    }
  | { readonly kind: 'variable'; readonly variable: Variable }
  | { readonly kind: 'constant'; readonly value: SqlValue }
  | { readonly kind: 'null' }
  /** Value `index` of the query's declared parameters. */
  | { readonly kind: 'argument'; readonly index: number; readonly isOpen: boolean }
  | { readonly kind: 'session'; readonly name: string }
  | {
      readonly kind: 'arithmetic';
      readonly operator: ArithmeticOperator;
      readonly left: BoundExpression;
      readonly right: BoundExpression;
    }
  | { readonly kind: 'negative'; readonly operand: BoundExpression }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly BoundExpression[] }
  | {
      readonly kind: 'trim';
      readonly side: TrimSide;
      readonly characters: BoundExpression | undefined;
      readonly text: BoundExpression;
    }
  | {
      readonly kind: 'aggregate';
      readonly name: AggregateName;
      readonly distinct: boolean;
      readonly argument: BoundExpression | undefined;
    }
  | {
      readonly kind: 'case';
      readonly branches: readonly { readonly when: BoundCondition; readonly value: BoundExpression }[];
      readonly otherwise: BoundExpression | undefined;
    }
  | { readonly kind: 'type-of'; readonly variable: Variable; readonly path: BoundPath | undefined }
  | { readonly kind: 'entity-name'; readonly entity: Entity }
  | { readonly kind: 'subquery'; readonly select: BoundSelect }
  /** Number of the members of a collection. */
  | { readonly kind: 'size'; readonly variable: Variable; readonly path: BoundPath }
  | { readonly kind: 'now'; readonly of: 'date' | 'time' | 'timestamp' }
  | {
      readonly kind: 'moment';
      readonly base: BoundExpression | undefined;
      readonly offset: number;
      readonly unit: TimeUnit;
      readonly inUserZone: boolean;
    }
);
