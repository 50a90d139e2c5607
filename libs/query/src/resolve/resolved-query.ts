import type { Attribute, DynamicAttribute, Entity, EnumAttribute, Model } from '@lintel/metadata';
import type { BucketUnit } from '../parse/parse-aggregates.ts';
import type { ParsedQuery } from '../parse/parsed-query.ts';
import type { BoundCondition, BoundPath, BoundSearch } from './bound-condition.ts';
import type { Variable } from './language/bound-expression.ts';
import type { BoundSelect } from './language/bound-select.ts';

declare const resolved: unique symbol;

/** An attribute to be shown; references and embedded attributes have a node of their own. */
export interface ResolvedProperty {
  readonly attribute: Attribute;
  readonly node: ResolvedNode | undefined;
  /** Selection of a collection's members; without it all are shown. */
  readonly members?: ResolvedMembers;
}

/** The members of a collection that a plan shows. */
export interface ResolvedMembers {
  readonly filter: BoundCondition | undefined;
  readonly sort: readonly ResolvedSortKey[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  /** The number of members that the filter selects is shown, too. */
  readonly isCounted: boolean;
}

/** A dynamic attribute to be shown; one that refers to an entity has a node of its own. */
export interface ResolvedDynamicAttribute {
  readonly attribute: DynamicAttribute;
  readonly node: ResolvedNode | undefined;
}

/** What is returned of the instances at one node of the fetch plan. */
export interface ResolvedNode {
  readonly entity: Entity;
  /** In the order of the model. */
  readonly properties: readonly ResolvedProperty[];
  /** Empty unless the request includes them: they belong to no plan (contract/dynamic-attributes.md#reading). */
  readonly dynamic: readonly ResolvedDynamicAttribute[];
  /** The dependencies of the computed attributes among `properties`; loaded, but not in the response. */
  readonly inputs: ResolvedNode | undefined;
}

export interface ResolvedSortKey {
  /** Ends at a stored single value or at a to-one reference. */
  readonly path: BoundPath;
  readonly descending: boolean;
}

/** The rank of a search as the first part of the order. */
export interface ResolvedRank {
  readonly search: BoundSearch;
  readonly descending: boolean;
}

/** A query of the entity query language whose names are bound. */
export interface ResolvedSelection {
  readonly select: BoundSelect;
  /** The variable whose instances are returned; undefined if values are. */
  readonly root: Variable | undefined;
  /** The first values are those that the rows are grouped by: no two rows have the same. */
  readonly isKeyed?: true;
  /** Values that are shown beside values, which the rows are neither grouped nor ordered by. */
  readonly captions?: readonly GroupCaption[];
  /** Units of time without rows, which are rows of the result. */
  readonly fill?: FilledUnits | undefined;
}

/** The instance name beside a key, or the caption beside an enum constant, by the index among the selected values. */
export interface GroupCaption {
  readonly at: number;
  readonly name: string;
  readonly of: Entity | EnumAttribute;
}

/** The value, by its index among the selected ones, whose units between the first and the last one are all there. */
export interface FilledUnits {
  readonly at: number;
  readonly unit: BucketUnit;
  /** Values that are 0 without rows, and not null. */
  readonly zeros: readonly number[];
}

/** A query whose names are bound to one model. Only `resolve` makes one. */
export interface ResolvedQuery {
  readonly [resolved]: true;
  readonly model: Model;
  readonly entity: Entity;
  readonly operation: ParsedQuery['operation'];
  readonly deleted: ParsedQuery['deleted'];
  readonly node: ResolvedNode;
  /** Objects that one row of the response has. */
  readonly planNodes: number;
  /** A filter of a collection in the plan leads through collections again: for each row. */
  readonly testsPerRow: boolean;
  readonly filter: BoundCondition | undefined;
  readonly sort: readonly ResolvedSortKey[];
  /** The order begins with the rank of the search. */
  readonly rank: ResolvedRank | undefined;
  /** The search whose matches each instance shows. */
  readonly highlights: BoundSearch | undefined;
  readonly selection: ResolvedSelection | undefined;
  /** `limit`, `offset` or `cursor` was given: pages must not overlap. */
  readonly paged: boolean;
  /** `limit` was given: the response says where the next page begins. */
  readonly limited: boolean;
}

/** @internal Gives the brand; for `resolve` alone. */
export const brandResolved = (query: Omit<ResolvedQuery, typeof resolved>): ResolvedQuery =>
  Object.freeze(query) as ResolvedQuery;
