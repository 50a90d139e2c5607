import type { UnknownInside } from '@lintel/contracts';
import type { Condition, SearchCondition } from '../ast/condition.ts';
import type { SelectQuery } from '../ast/select-query.ts';
import type { ExactJson, ExactObject } from '../json/exact-json.ts';
import type { QueryLimits } from '../limits/query-limits.ts';
import type { LiteralType } from '../literals/literal-type.ts';
import type { SqlValue } from '../literals/parse-text.ts';
import type { TimeReading } from '../literals/stored-time.ts';
import type { ParsedAggregates } from './parse-aggregates.ts';

declare const parsed: unique symbol;

/** The kind of read: one instance, a list, or only the number of matching instances. */
export type ReadOperation = 'instance' | 'list' | 'count';

/** The request as the edge received it: nothing is checked yet. */
export interface RawReadRequest {
  readonly operation: ReadOperation;
  readonly entityName: string;
  /** The id of the path; `instance` only. */
  readonly id?: string;
  /** A `filter` must be there. */
  readonly filterRequired?: boolean;
  /**
   * URL parameters as texts, or the members of a search body. Known: `fetchPlan`, `filter`, `q`, `highlights`, `limit`,
   * `offset`, `cursor`, `sort`, `returnNulls`, `returnCount`, `dynamicAttributes`, `deleted`; others are ignored.
   */
  readonly members: ExactObject;
  /** Reports or refuses members of the filter and the plan without a meaning, and parts of values without an effect. */
  readonly noteUnknown?: NoteUnknown;
}

/** @throws PlatformError REQ_UNKNOWN_MEMBER or REQ_WITHOUT_EFFECT if they are refused */
export type NoteUnknown = (found: readonly UnknownMember[]) => void;

/** A fetch plan before its names are looked up. */
export type ParsedFetchPlan =
  /** No plan was given: `_base`, and the computed attributes whose dependencies it contains. */
  | { readonly kind: 'default' }
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'inline'; readonly definition: ExactObject };

export interface ParsedSortKey {
  readonly path: string;
  readonly descending: boolean;
}

/** A predefined query, and the values of its parameters. */
export interface ParsedSelect {
  readonly query: SelectQuery;
  readonly parameters: readonly QueryParameter[];
  /** In the order of `parameters`. */
  readonly arguments: readonly QueryArgument[];
  /** Parts of the arguments that have no effect. */
  readonly ignored: readonly UnknownMember[];
}

/** A parameter that a query declares. */
export interface QueryParameter {
  readonly name: string;
  readonly type: LiteralType;
  /** Its value is a collection. */
  readonly isList: boolean;
  /**
   * It takes the type of the other operand, or `type` where no operand has one: its value is a text that is parsed
   * when that type is known. For data sets of reports, whose parameters declare none.
   */
  readonly isOpen?: boolean;
}

/** The value of a declared parameter: one, or a collection. */
export type QueryArgument = SqlValue | readonly SqlValue[];

/** A member of a filter or of an inline fetch plan that has no meaning (contract/conventions.md#unknown). */
export type UnknownMember = UnknownInside;

/** A read request with valid syntax. Only `parse` creates one. */
export interface ParsedQuery {
  readonly [parsed]: true;
  readonly operation: ReadOperation;
  readonly entityName: string;
  readonly id: string | undefined;
  readonly fetchPlan: ParsedFetchPlan;
  readonly filter: Condition | undefined;
  /** The values of the filter, in the order of their `index`. */
  readonly inputs: readonly ExactJson[];
  /** How times among them are read. */
  readonly times: TimeReading;
  readonly sort: readonly ParsedSortKey[];
  /** The request has a `q`: value `index` of the request. */
  readonly search: SearchCondition | undefined;
  /** Every instance has the parts of its texts that `q` finds. */
  readonly highlights?: boolean;
  /** A query of the entity query language, instead of filter and sort. */
  readonly select: ParsedSelect | undefined;
  /** Groups and aggregates, instead of the instances. */
  readonly aggregates?: ParsedAggregates;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  /** The begin of the page, from an earlier response; encrypted, so it is opaque here. */
  readonly cursor: string | undefined;
  readonly returnNulls: boolean;
  readonly returnCount: boolean;
  /** Whether the response has the values of dynamic attributes. */
  readonly dynamicAttributes: boolean;
  /** Only soft-deleted instances, or these with the others; undefined for the others alone. */
  readonly deleted: 'only' | 'with' | undefined;
  /** The limits of the request. */
  readonly limits: QueryLimits;
  /** Members of the filter and of the inline plan that have no meaning. */
  readonly unknown: readonly UnknownMember[];
  /** Equal for two requests that differ in values only; part of the statement cache's key. */
  readonly shapeKey: string;
}

/** @internal Gives the brand; for `parse` alone. */
export const brandParsed = (query: Omit<ParsedQuery, typeof parsed>): ParsedQuery =>
  Object.freeze(query) as ParsedQuery;
