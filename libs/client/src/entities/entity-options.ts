import type { CallOptions, ChangeOptions } from '../connection/call.ts';
import type { Id } from '../connection/paths.ts';
import type { ConditionGroup } from '../filters/condition.ts';
import type { Filter, Sort } from '../filters/criteria.ts';
import type { CheckedPlan } from '../filters/fetch-plans.ts';
import type { ApiTypes } from '../model/api-types.ts';

/** What a read returns of each instance. */
export interface ReadOptions<A extends ApiTypes, E, P> extends CallOptions {
  /** Name of a fetch plan, or a plan as a literal. */
  readonly fetchPlan?: (P & CheckedPlan<A, E, P>) | undefined;
  /** Shows attributes without a value as null instead of leaving them out. */
  readonly returnNulls?: boolean | undefined;
  /** Adds the attributes that administrators have defined, as `+code`; by default, where the filter names one. */
  readonly dynamicAttributes?: boolean | undefined;
  /** Only soft-deleted instances, or these with the others. */
  readonly deleted?: 'only' | 'with' | undefined;
}

/** Which instances a list has, and in which order. */
export interface ListOptions<A extends ApiTypes, E, P> extends ReadOptions<A, E, P> {
  /** Which instances; all without it. */
  readonly filter?: Filter<A, E> | undefined;
  /** Words that searchable attributes have; without `sort`, the best matches come first. */
  readonly q?: string | undefined;
  /** Adds {@link Highlights} of `q` to each instance; at most 100 instances have them. */
  readonly highlights?: boolean | undefined;
  /** Their order: `-date,customer.name`, or a function that returns paths. */
  readonly sort?: Sort<A, E> | undefined;
  /** Maximum number of instances. One above the maximum of the server is refused. */
  readonly limit?: number | undefined;
  /** Number of instances that are skipped. Pages of `page` are quicker, and do not overlap. */
  readonly offset?: number | undefined;
}

/** Options of a search in all entities. */
export interface SearchOptions extends CallOptions {
  /** Names of entities; all without it. */
  readonly entities?: readonly string[] | undefined;
  /** Maximum number of instances of each entity; 5 by default. */
  readonly limit?: number | undefined;
  /** Adds {@link Highlights} to each instance. */
  readonly highlights?: boolean | undefined;
}

/** Parts of the texts of an instance that a search finds. */
export interface Highlights {
  readonly _highlights?: readonly {
    readonly attribute: string;
    /** Plain texts, of which every second one is a word that is found: `[["Kraft & ", "Brandt", " GmbH"]]`. */
    readonly fragments: readonly (readonly string[])[];
  }[];
}

/** The best matches of an entity. */
export interface FoundInstances {
  readonly entityName: string;
  readonly instances: readonly ({
    readonly _entityName: string;
    readonly _instanceName: string;
    readonly id: Id;
  } & Highlights)[];
}

/** One page of a list. */
export interface PageOptions<A extends ApiTypes, E, P> extends Omit<ListOptions<A, E, P>, 'offset'> {
  /** The position after a page, from {@link Page}. */
  readonly cursor?: string | undefined;
  /** Counts all instances, not only those of the page. An estimate costs nothing. */
  readonly count?: 'exact' | 'estimated' | undefined;
}

/** Which instances are counted. */
export interface CountOptions<A extends ApiTypes, E> extends CallOptions {
  /** Which instances; all without it. */
  readonly filter?: Filter<A, E> | undefined;
  /** Words that searchable attributes have. */
  readonly q?: string | undefined;
  /** Whether the filter may name attributes that administrators have defined; by default, where it names one. */
  readonly dynamicAttributes?: boolean | undefined;
  /** Only soft-deleted instances, or these with the others. */
  readonly deleted?: 'only' | 'with' | undefined;
}

/** A function of the values of a group: `{ sum: 'amount' }`, `{ count: '*' }`. */
export type Aggregate =
  | { readonly [F in 'count' | 'countDistinct' | 'sum' | 'avg' | 'min' | 'max']?: string }
  | {
      /** Path of the attribute. */
      readonly percentile: string;
      /** Fraction of the values, from 0 to 1. */
      readonly at: number;
    };

/** A value that instances are grouped by: a path, or the begin of a unit of time. */
export type GroupBy =
  | string
  | {
      /** Path of the attribute. */
      readonly attribute: string;
      /** Unit of time. */
      readonly by?: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
      /** Zone of the clock; the one of the user without it. */
      readonly timeZone?: string;
      /** Name in the rows; the path without it. */
      readonly as?: string;
      /** Name of a further value in the rows: the instance name of the reference, the caption of the enum. */
      readonly captionAs?: string;
      /** Units from the first to the last one that have no instances are rows, too. */
      readonly fill?: boolean;
    };

/** Groups of instances with aggregates. */
export interface AggregateOptions<
  A extends ApiTypes,
  E,
  G = readonly GroupBy[],
  V = Readonly<Record<string, Aggregate>>,
> extends CallOptions {
  /** Values that instances with the same ones are grouped by; without it all are one group. */
  readonly groupBy?: G | undefined;
  /** Functions by their names in the rows. */
  readonly aggregates?: V | undefined;
  /** Instances that are grouped; all without it. */
  readonly filter?: Filter<A, E> | undefined;
  /** Words that searchable attributes have. */
  readonly q?: string | undefined;
  /** Conditions of the groups, over names of the rows. */
  readonly having?: ConditionGroup | undefined;
  /** Names of the rows with commas; `-` sorts descending. */
  readonly sort?: string | undefined;
  /** Maximum number of groups. */
  readonly limit?: number | undefined;
  /** Number of groups that are skipped. */
  readonly offset?: number | undefined;
  /** The position after a page, from {@link Page}. */
  readonly cursor?: string | undefined;
}

type GroupName<G> = G extends string
  ? G
  : G extends
        | { readonly as: infer N extends string }
        | { readonly as?: never; readonly attribute: infer N extends string }
    ? N
    : never;

type CaptionName<G> = G extends { readonly captionAs: infer N extends string } ? N : never;

type AggregateValue<F> = F extends { readonly count: string } | { readonly countDistinct: string }
  ? number
  : F extends { readonly sum: string } | { readonly avg: string }
    ? number | null
    : string | number | null;

/** A group: its values by path or `as`, and its aggregates by name. */
export type AggregateRow<G extends readonly GroupBy[], V> = {
  readonly [N in GroupName<G[number]> | keyof V]: N extends keyof V
    ? AggregateValue<V[N]>
    : string | number | boolean | null;
} & { readonly [N in CaptionName<G[number]>]: string | null };

/** A whole list, read page by page. */
export interface AllOptions<A extends ApiTypes, E, P> extends Omit<ListOptions<A, E, P>, 'limit' | 'offset'> {
  /** Instances in one request; 500 by default. */
  readonly pageSize?: number | undefined;
}

/** A part of a list, and how to read the next one. */
export interface Page<T> {
  /** The instances of the page. */
  readonly items: readonly T[];
  /** The position after this page; undefined at the end of the list. */
  readonly cursor: string | undefined;
  /** The number of all instances, if it was asked for. */
  readonly total: number | undefined;
}

/** How an instance is written, and what the response shows of it. */
export interface WriteOptions<A extends ApiTypes, E, P> extends ChangeOptions {
  /** What the response shows; only id and name without it. */
  readonly fetchPlan?: (P & CheckedPlan<A, E, P>) | undefined;
  /**
   * Makes sure that the write is executed once, even if it is sent again. By default a random key; false sends none,
   * and the write is not repeated after a failure of the network.
   */
  readonly idempotencyKey?: string | false | undefined;
}

/** How an instance is changed. */
export interface UpdateOptions<A extends ApiTypes, E, P> extends WriteOptions<A, E, P> {
  /**
   * The instance as it was read by `load` or returned by a write, or its tag: if it has changed since then, nothing is
   * written, and the method rejects with a `ConflictError`.
   */
  readonly ifMatch?: object | string | undefined;
}

/** How instances are found, and what happens to those that exist. */
export interface UpsertOptions<A extends ApiTypes, E, P> extends UpdateOptions<A, E, P> {
  /** Attributes of a unique constraint, by which instances are found; the id without it. */
  readonly key?: string | readonly string[] | undefined;
  /** Leaves instances that exist as they are; by default they are updated. */
  readonly ignoreDuplicates?: boolean | undefined;
}

/** Effect of an upsert on an instance, which its response has beside the attributes. */
export interface UpsertStatus {
  readonly _status: 'created' | 'updated' | 'unchanged';
}

/** An operation of a JSON Patch (RFC 6902). Members of collections are addressed by their ids: `/lines/<id>/quantity`. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/** How an instance is deleted. */
export interface RemoveOptions extends ChangeOptions {
  /** Removes soft-deleted instances for good. */
  readonly deleted?: 'only' | undefined;
  /** As of a write. */
  readonly idempotencyKey?: string | false | undefined;
  /** As of an update. */
  readonly ifMatch?: object | string | undefined;
}
