import type { ExactNumber } from '../json/exact-json.ts';
import type { Condition } from './condition.ts';
import type { SelectQuery } from './select-query.ts';

/** A position in a text of the entity query language; both count from 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '||';
export type AggregateName = 'count' | 'sum' | 'avg' | 'min' | 'max';
export type TrimSide = 'both' | 'leading' | 'trailing';
export type TimeUnit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

/** `c.address.city`, `sales.OrderStatus.NEW` or `sales_Company`: `resolve` determines which of them. */
export interface PathExpression {
  readonly kind: 'path';
  readonly names: readonly string[];
  readonly position: SourcePosition;
}

/** `treat(p as sales_Company).vatNumber`: attributes of a descendant. */
export interface TreatExpression {
  readonly kind: 'treat';
  readonly path: PathExpression;
  readonly entity: string;
  readonly names: readonly string[];
  readonly position: SourcePosition;
}

/** A value in a text of the entity query language. */
export type Expression =
  | PathExpression
  | TreatExpression
  | { readonly kind: 'literal'; readonly value: string | boolean | ExactNumber; readonly position: SourcePosition }
  /** `{d '2026-01-31'}`, `{t '10:00:00'}`, `{ts '2026-01-31 10:00:00'}`. */
  | {
      readonly kind: 'temporal';
      readonly datatype: 'localDate' | 'localTime' | 'localDateTime';
      readonly text: string;
      readonly position: SourcePosition;
    }
  | { readonly kind: 'null'; readonly position: SourcePosition }
  | { readonly kind: 'parameter'; readonly name: string; readonly position: SourcePosition }
  | {
      readonly kind: 'arithmetic';
      readonly operator: ArithmeticOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly position: SourcePosition;
    }
  | { readonly kind: 'negative'; readonly operand: Expression; readonly position: SourcePosition }
  /** A function by its name in lower case. */
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly args: readonly Expression[];
      readonly position: SourcePosition;
    }
  | {
      readonly kind: 'trim';
      readonly side: TrimSide;
      readonly characters: Expression | undefined;
      readonly text: Expression;
      readonly position: SourcePosition;
    }
  | {
      readonly kind: 'aggregate';
      readonly name: AggregateName;
      readonly distinct: boolean;
      /** Absent in `count(*)`. */
      readonly argument: Expression | undefined;
      readonly position: SourcePosition;
    }
  | {
      readonly kind: 'case';
      readonly branches: readonly { readonly when: Condition; readonly value: Expression }[];
      readonly otherwise: Expression | undefined;
      readonly position: SourcePosition;
    }
  /** The entity that an instance is of. */
  | { readonly kind: 'type'; readonly operand: PathExpression; readonly position: SourcePosition }
  | { readonly kind: 'subquery'; readonly select: SelectQuery; readonly position: SourcePosition }
  /** The moment of the statement. */
  | { readonly kind: 'now'; readonly of: 'date' | 'time' | 'timestamp'; readonly position: SourcePosition }
  /**
   * The beginning of a `unit` of time, `offset` units after the one of `base` (the time of the statement
   * if there is none); has the type of the compared value.
   */
  | {
      readonly kind: 'moment';
      readonly base: Expression | undefined;
      readonly offset: number;
      readonly unit: TimeUnit;
      /** Units begin by the clock of the user's time zone. */
      readonly inUserZone: boolean;
      readonly position: SourcePosition;
    };
