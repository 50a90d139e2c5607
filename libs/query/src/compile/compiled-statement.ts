import type { ParameterSource } from '../plan/parameter.ts';
import type { ObjectPlan } from '../plan/read-plan.ts';

/** What is left to do with the JSON of a row. */
export type RowShape =
  /** No shaping: the text is the result, but for members that are null. */
  | { readonly kind: 'text'; readonly hasNulls: boolean }
  /** Instance names, computed attributes or predicates that the database cannot do. */
  | { readonly kind: 'objects'; readonly object: ObjectPlan };

/** A statement without its values: one for all requests of one shape, model and access. */
export interface StatementTemplate {
  /** Short hash of the text: the name under which connections prepare it. */
  readonly name: string;
  readonly text: string;
  readonly sources: readonly ParameterSource[];
  readonly shape: RowShape;
  /** Of a page: identifies its order; see `RowPosition`. */
  readonly order: string;
  /** Number of columns `position_<n>` in addition to the JSON: the position of the row in the order. */
  readonly positionColumns: number;
}

/** A statement that can be run: a column `json` (a count: `count`), and `position_<n>` if there are further pages. */
export interface CompiledStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Where each value comes from. */
  readonly sources: readonly ParameterSource[];
  readonly shape: RowShape;
}
