import type { Condition } from './condition.ts';
import type { Expression, PathExpression, SourcePosition } from './expression.ts';

/** `select … from … where … group by … having … order by …`, of a query or a subquery. */
export interface SelectQuery {
  readonly distinct: boolean;
  readonly items: readonly SelectItem[];
  readonly ranges: readonly Range[];
  readonly where: Condition | undefined;
  readonly groupBy: readonly Expression[];
  readonly having: Condition | undefined;
  readonly orderBy: readonly OrderItem[];
  readonly position: SourcePosition;
}

export interface SelectItem {
  readonly expression: Expression;
  readonly alias: string | undefined;
}

/** A variable of `from`, over an entity or, in a subquery, over a collection of an outer variable. */
export interface Range {
  /** An entity's name, or a path. */
  readonly source: PathExpression;
  readonly variable: string;
  readonly joins: readonly RangeJoin[];
  readonly position: SourcePosition;
}

export interface RangeJoin {
  readonly kind: 'inner' | 'left';
  /** A path from an earlier variable, or an entity's name. */
  readonly source: PathExpression;
  /** `join treat(o.party as sales_Company) c`. */
  readonly treatedAs: string | undefined;
  readonly variable: string;
  readonly on: Condition | undefined;
  readonly position: SourcePosition;
}

export interface OrderItem {
  /** An expression, or the alias of a selected one. */
  readonly expression: Expression;
  readonly descending: boolean;
  readonly nulls: 'first' | 'last' | undefined;
}
