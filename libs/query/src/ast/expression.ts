import type { ExactNumber } from '../json/exact-json.ts';
import type { Condition } from './condition.ts';
import type { SelectQuery } from './select-query.ts';

/** Where something stands in a text of the entity query language; both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '||';
export type AggregateName = 'count' | 'sum' | 'avg' | 'min' | 'max';
export type TrimSide = 'both' | 'leading' | 'trailing';
export type TimeUnit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

/** `c.address.city`, `sales.OrderStatus.NEW` or `sales_Company`: which of them, `resolve` finds out. */
export interface PathExpression {
  readonly kind: 'path';
  readonly names: readonly string[];
  readonly place: Place;
}

/** `treat(p as sales_Company).vatNumber`: attributes of a descendant. */
export interface TreatExpression {
  readonly kind: 'treat';
  readonly path: PathExpression;
  readonly entity: string;
  readonly names: readonly string[];
  readonly place: Place;
}

/** A value in a text of the entity query language. */
export type Expression =
  | PathExpression
  | TreatExpression
  | { readonly kind: 'literal'; readonly value: string | boolean | ExactNumber; readonly place: Place }
  /** `{d '2026-01-31'}`, `{t '10:00:00'}`, `{ts '2026-01-31 10:00:00'}`. */
  | {
      readonly kind: 'temporal';
      readonly datatype: 'localDate' | 'localTime' | 'localDateTime';
      readonly text: string;
      readonly place: Place;
    }
  | { readonly kind: 'null'; readonly place: Place }
  | { readonly kind: 'parameter'; readonly name: string; readonly place: Place }
  | {
      readonly kind: 'arithmetic';
      readonly operator: ArithmeticOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly place: Place;
    }
  | { readonly kind: 'negative'; readonly operand: Expression; readonly place: Place }
  /** A function by its name in lower case. */
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[]; readonly place: Place }
  | {
      readonly kind: 'trim';
      readonly side: TrimSide;
      readonly characters: Expression | undefined;
      readonly text: Expression;
      readonly place: Place;
    }
  | {
      readonly kind: 'aggregate';
      readonly name: AggregateName;
      readonly distinct: boolean;
      /** Absent in `count(*)`. */
      readonly argument: Expression | undefined;
      readonly place: Place;
    }
  | {
      readonly kind: 'case';
      readonly branches: readonly { readonly when: Condition; readonly value: Expression }[];
      readonly otherwise: Expression | undefined;
      readonly place: Place;
    }
  /** The entity that an instance is of. */
  | { readonly kind: 'type'; readonly operand: PathExpression; readonly place: Place }
  | { readonly kind: 'subquery'; readonly select: SelectQuery; readonly place: Place }
  /** The moment of the statement. */
  | { readonly kind: 'now'; readonly of: 'date' | 'time' | 'timestamp'; readonly place: Place }
  /**
   * The beginning of a `unit` of time, `offset` units after the one of `base` (the moment of the statement
   * where there is none); of the type of what it is compared with.
   */
  | {
      readonly kind: 'moment';
      readonly base: Expression | undefined;
      readonly offset: number;
      readonly unit: TimeUnit;
      /** Units begin by the clock of the user's time zone. */
      readonly inUserZone: boolean;
      readonly place: Place;
    };
