import type { Entity } from '@lintel/metadata';
import type { BoundCondition, BoundPath } from '../bound-condition.ts';
import type { BoundExpression, Variable } from './bound-expression.ts';

/** The source of the rows of a variable. */
export type RangeSource =
  | { readonly kind: 'entity' }
  /** The targets of a reference of another variable. */
  | {
      readonly kind: 'path';
      readonly from: Variable;
      readonly path: BoundPath;
      /** Instances of this descendant alone. */
      readonly treatedAs: Entity | undefined;
    }
  /** The row of another variable once more. */
  | { readonly kind: 'same'; readonly as: Variable };

export interface BoundRange {
  readonly variable: Variable;
  readonly source: RangeSource;
  readonly joins: readonly BoundJoin[];
}

export interface BoundJoin {
  readonly kind: 'inner' | 'left';
  readonly variable: Variable;
  readonly source: RangeSource;
  readonly on: BoundCondition | undefined;
}

export interface BoundOrder {
  readonly expression: BoundExpression;
  readonly descending: boolean;
  readonly nulls: 'first' | 'last' | undefined;
}

export interface BoundItem {
  /** Member of the result. */
  readonly name: string;
  readonly expression: BoundExpression;
}

/** A `select` whose names are bound to the model. */
export interface BoundSelect {
  readonly distinct: boolean;
  readonly items: readonly BoundItem[];
  readonly ranges: readonly BoundRange[];
  readonly where: BoundCondition | undefined;
  readonly groupBy: readonly BoundExpression[];
  readonly having: BoundCondition | undefined;
  readonly orderBy: readonly BoundOrder[];
  /** Each row represents several: there is a `group by` or an aggregate. */
  readonly grouped: boolean;
}
