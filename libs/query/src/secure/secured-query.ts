import type { Attribute, DynamicAttribute, Entity, Model } from '@lintel/metadata';
import type { RowPredicate } from '../access.ts';
import type { BoundCondition } from '../resolve/bound-condition.ts';
import type { ResolvedMembers, ResolvedQuery, ResolvedSelection, ResolvedSortKey } from '../resolve/resolved-query.ts';
import type { Visibility } from './visibility.ts';

declare const secured: unique symbol;

export interface SecuredProperty {
  readonly attribute: Attribute;
  readonly node: SecuredNode | undefined;
  readonly members?: ResolvedMembers;
}

export interface SecuredDynamicAttribute {
  readonly attribute: DynamicAttribute;
  readonly node: SecuredNode | undefined;
}

/** What the caller gets of the instances at one node of the fetch plan. */
export interface SecuredNode {
  readonly entity: Entity;
  readonly properties: readonly SecuredProperty[];
  readonly dynamic: readonly SecuredDynamicAttribute[];
  /** The dependencies of computed attributes that the caller may view; loaded, but not in the response. */
  readonly inputs: SecuredNode | undefined;
  /** Row predicates of the instances here, and the attributes they read; loaded, but not in the response. */
  readonly policy: readonly SecuredPolicy[] | undefined;
}

/** Row predicates about the instances of `node.entity`: the entity shown, or a descendant of it. */
export interface SecuredPolicy {
  readonly predicates: readonly RowPredicate[];
  readonly node: SecuredNode;
}

/**
 * A query without attributes that the caller may not view, with the visibility that has the row conditions. Only
 * `secureRead` makes one, and the planner takes nothing else; the planner adds the row conditions where it opens a
 * table, which only `openRows` does.
 */
export interface SecuredQuery {
  readonly [secured]: true;
  readonly model: Model;
  readonly entity: Entity;
  readonly operation: ResolvedQuery['operation'];
  readonly deleted: ResolvedQuery['deleted'];
  readonly node: SecuredNode;
  readonly filter: BoundCondition | undefined;
  readonly sort: readonly ResolvedSortKey[];
  /** Rank of a search, which the filter contains. */
  readonly rank: ResolvedQuery['rank'];
  /** The search whose matches each instance shows, in attributes that the caller may view. */
  readonly highlights: ResolvedQuery['highlights'];
  /** A query of the entity query language decides which rows there are, instead of filter and sort. */
  readonly selection: SecuredSelection | undefined;
  readonly paged: boolean;
  readonly limited: boolean;
  /** Its row conditions are added by `openRows`, to every table of an entity. */
  readonly visibility: Visibility;
}

/** A query that refers to nothing which the caller may not see. */
export type SecuredSelection = ResolvedSelection;

/** @internal Gives the brand; for `secureRead` alone. */
export const brandSecured = (query: Omit<SecuredQuery, typeof secured>): SecuredQuery =>
  Object.freeze(query) as SecuredQuery;
