import type { ComparisonOperator } from '../../ast/condition.ts';
import type { AggregateName, TimeUnit, TrimSide } from '../../ast/expression.ts';
import type { DateField } from '../../resolve/language/bound-expression.ts';
import type { Parameter } from '../parameter.ts';
import type { Column, From, SqlCondition } from '../read-plan.ts';

/** Functions of PostgreSQL that take and give plain values, by their names there. */
export type SqlFunction =
  | 'lower'
  | 'upper'
  | 'length'
  | 'substr'
  | 'replace'
  | 'strpos'
  | 'abs'
  | 'mod'
  | 'div'
  | 'round'
  | 'sqrt'
  | 'floor'
  | 'ceil'
  | 'COALESCE'
  | 'NULLIF'
  | 'LEAST'
  | 'GREATEST'
  | 'trim_scale';

/** An expression of the statement. */
export type SqlExpression =
  | { readonly kind: 'column'; readonly column: Column }
  | { readonly kind: 'parameter'; readonly parameter: Parameter }
  /** A number that the planner itself needs; never one of a request or query. */
  | { readonly kind: 'number'; readonly value: number }
  /** A text of the model: the name of an entity. */
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'null'; readonly sqlType: string }
  | {
      readonly kind: 'binary';
      readonly operator: '+' | '-' | '*' | '/' | '||';
      readonly left: SqlExpression;
      readonly right: SqlExpression;
    }
  | { readonly kind: 'negative'; readonly operand: SqlExpression }
  | { readonly kind: 'call'; readonly name: SqlFunction; readonly args: readonly SqlExpression[] }
  | { readonly kind: 'cast'; readonly operand: SqlExpression; readonly sqlType: string }
  | { readonly kind: 'extract'; readonly field: DateField; readonly operand: SqlExpression }
  | {
      readonly kind: 'trim';
      readonly side: TrimSide;
      readonly characters: SqlExpression | undefined;
      readonly text: SqlExpression;
    }
  | {
      readonly kind: 'case';
      readonly branches: readonly { readonly when: SqlCondition; readonly value: SqlExpression }[];
      readonly otherwise: SqlExpression | undefined;
    }
  | {
      readonly kind: 'aggregate';
      readonly name: AggregateName;
      readonly distinct: boolean;
      /** Several for the parts of a key, none for all rows. */
      readonly args: readonly SqlExpression[];
    }
  | { readonly kind: 'percentile'; readonly at: Parameter; readonly argument: SqlExpression }
  | { readonly kind: 'select'; readonly select: SelectPlan }
  | { readonly kind: 'now'; readonly of: 'date' | 'time' | 'timestamp' | 'instant' }
  /** The beginning of the unit that the moment lies in. */
  | { readonly kind: 'truncate'; readonly unit: TimeUnit | 'week' | 'quarter'; readonly moment: SqlExpression }
  | {
      readonly kind: 'later';
      readonly unit: TimeUnit;
      readonly moment: SqlExpression;
      readonly units: SqlExpression;
    }
  /** A moment by the clock of a zone; of a local one, the moment that it is. */
  | { readonly kind: 'zoned'; readonly moment: SqlExpression; readonly zone: SqlExpression };

export interface OrderPlan {
  readonly expression: SqlExpression;
  readonly descending: boolean;
  readonly nulls: 'first' | 'last' | undefined;
}

/** A `SELECT` inside a statement. */
export interface SelectPlan {
  readonly distinct: boolean;
  readonly columns: readonly { readonly expression: SqlExpression; readonly name: string }[];
  readonly from: From;
  readonly where: readonly SqlCondition[];
  readonly groupBy: readonly SqlExpression[];
  readonly having: readonly SqlCondition[];
}

/** Rows of a tree; the columns are the key of each and the reference to its parent. */
export type BranchRows = Pick<SelectPlan, 'from' | 'where'> & { readonly columns: readonly SqlExpression[] };

/** Tests of expressions. */
export type SqlTest =
  | {
      readonly kind: 'relation';
      readonly left: SqlExpression;
      readonly operator: ComparisonOperator;
      readonly right: SqlExpression;
    }
  | {
      readonly kind: 'quantified';
      readonly left: SqlExpression;
      readonly operator: ComparisonOperator;
      readonly quantifier: 'all' | 'any';
      readonly select: SelectPlan;
    }
  | {
      readonly kind: 'pattern';
      readonly text: SqlExpression;
      readonly pattern: SqlExpression;
      readonly escape: SqlExpression | undefined;
      readonly negated: boolean;
    }
  | {
      readonly kind: 'one-of';
      readonly value: SqlExpression;
      readonly items: readonly SqlExpression[];
      readonly negated: boolean;
    }
  | {
      readonly kind: 'one-of-array';
      readonly value: SqlExpression;
      readonly parameter: Parameter;
      readonly negated: boolean;
    }
  | {
      readonly kind: 'one-of-select';
      readonly values: readonly SqlExpression[];
      readonly select: SelectPlan;
      readonly negated: boolean;
    }
  /** The value is a key of the rows that a recursive query finds: `first`, and `next` for each of them. */
  | {
      readonly kind: 'in-branch';
      readonly value: SqlExpression;
      readonly alias: string;
      readonly first: BranchRows;
      readonly next: BranchRows;
      /** How often there is a next one; until there is none, without it. */
      readonly depth: number | undefined;
      /** The first rows depend on no row of the statement. */
      readonly isFixed: boolean;
    }
  /** All are null; negated: one is not. */
  | { readonly kind: 'absent'; readonly values: readonly SqlExpression[]; readonly negated: boolean }
  | { readonly kind: 'exists-select'; readonly select: SelectPlan };
