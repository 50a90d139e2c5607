import type { CallOptions } from '../connection/call.ts';
import type { Id } from '../connection/paths.ts';
import type { Filter } from '../filters/criteria.ts';
import type { FetchPlan, Shown } from '../filters/fetch-plans.ts';
import type { ApiTypes, EntityName, InstanceOf } from '../model/api-types.ts';
import type { Input } from '../model/input.ts';
import type {
  Aggregate,
  AggregateOptions,
  AggregateRow,
  AllOptions,
  CountOptions,
  FoundInstances,
  GroupBy,
  ListOptions,
  Page,
  PageOptions,
  PatchOperation,
  ReadOptions,
  RemoveOptions,
  SearchOptions,
  UpdateOptions,
  UpsertOptions,
  UpsertStatus,
  WriteOptions,
} from './entity-options.ts';

/** Reads and writes instances. Every method rejects with a `RestError` if the response is an error. */
export interface EntityClient<A extends ApiTypes> {
  /** One instance; undefined if it does not exist for the caller. */
  load<E extends EntityName<A>, const P extends FetchPlan<A, E> | undefined = undefined>(
    entity: E,
    id: Id,
    options?: ReadOptions<A, E, P>,
  ): Promise<Shown<A, E, P> | undefined>;
  /** The instances that match, at most as many as the server permits: `all` and `page` have no maximum. */
  list<E extends EntityName<A>, const P extends FetchPlan<A, E> | undefined = undefined>(
    entity: E,
    options?: ListOptions<A, E, P>,
  ): Promise<readonly Shown<A, E, P>[]>;
  /** A page with the position after it. Pages never overlap, also if others write between two of them. */
  page<E extends EntityName<A>, const P extends FetchPlan<A, E> | undefined = undefined>(
    entity: E,
    options?: PageOptions<A, E, P>,
  ): Promise<Page<Shown<A, E, P>>>;
  /** All instances, read page by page while the loop runs. */
  all<E extends EntityName<A>, const P extends FetchPlan<A, E> | undefined = undefined>(
    entity: E,
    options?: AllOptions<A, E, P>,
  ): AsyncIterableIterator<Shown<A, E, P>>;
  /**
   * The number of instances that match and that the caller may see. Rejects with a TypeError if an option is unknown.
   *
   * @example await client.count('sales_Order', { filter: (order, { eq }) => eq(order.status, 'NEW') })
   */
  count<E extends EntityName<A>>(
    entity: E,
    filter?: Filter<A, E> | CountOptions<A, E>,
    options?: CallOptions,
  ): Promise<number>;
  /**
   * Groups of the instances that match and that the caller may see, with aggregates.
   *
   * @example await client.aggregate('sales_Order', { groupBy: ['status'], aggregates: { total: { sum: 'amount' } } })
   */
  aggregate<
    E extends EntityName<A>,
    const G extends readonly GroupBy[] = [],
    const V extends Readonly<Record<string, Aggregate>> = Record<never, Aggregate>,
  >(entity: E, options: AggregateOptions<A, E, G, V>): Promise<readonly AggregateRow<G, V>[]>;
  /** A page of groups, and the position after it, if `limit` is given. */
  aggregatePage<
    E extends EntityName<A>,
    const G extends readonly GroupBy[] = [],
    const V extends Readonly<Record<string, Aggregate>> = Record<never, Aggregate>,
  >(entity: E, options: AggregateOptions<A, E, G, V>): Promise<Page<AggregateRow<G, V>>>;
  /**
   * The best matches of words in the entities that the caller may read.
   *
   * @example for (const { entityName, instances } of await client.search('brandt')) …
   */
  search(q: string, options?: SearchOptions): Promise<readonly FoundInstances[]>;
  /** Creates an instance, with the parts of its compositions. */
  create<E extends EntityName<A>, const P extends FetchPlan<A, E> | undefined = undefined>(
    entity: E,
    values: Input<InstanceOf<A, E>>,
    options?: WriteOptions<A, E, P>,
  ): Promise<Shown<A, E, P>>;
  /** Creates all instances or none. They may refer to each other. */
  createMany<E extends EntityName<A>, const P extends FetchPlan<A, E> | undefined = undefined>(
    entity: E,
    values: readonly Input<InstanceOf<A, E>>[],
    options?: WriteOptions<A, E, P>,
  ): Promise<readonly Shown<A, E, P>[]>;
  /** Changes the attributes that are sent. An array is the new content of its collection. */
  update<E extends EntityName<A>, const P extends FetchPlan<A, E> | undefined = undefined>(
    entity: E,
    id: Id,
    values: Input<InstanceOf<A, E>>,
    options?: UpdateOptions<A, E, P>,
  ): Promise<Shown<A, E, P>>;
  /**
   * Changes the attributes that are sent, as `update` does, but each child of a composition by what it names itself, and
   * the members of JSON attributes one by one (RFC 7396). An array is a JSON Patch: operations that are executed in
   * order, all or none. A failed `test` is a `ConflictError`.
   */
  patch<E extends EntityName<A>, const P extends FetchPlan<A, E> | undefined = undefined>(
    entity: E,
    id: Id,
    change: Input<InstanceOf<A, E>> | readonly PatchOperation[],
    options?: UpdateOptions<A, E, P>,
  ): Promise<Shown<A, E, P>>;
  /** Changes all instances, which are named by `id`, or none. */
  updateMany<E extends EntityName<A>, const P extends FetchPlan<A, E> | undefined = undefined>(
    entity: E,
    values: readonly Input<InstanceOf<A, E>>[],
    options?: WriteOptions<A, E, P>,
  ): Promise<readonly Shown<A, E, P>[]>;
  /** Patches all instances, which are named by `id`, or none. */
  patchMany<E extends EntityName<A>, const P extends FetchPlan<A, E> | undefined = undefined>(
    entity: E,
    values: readonly Input<InstanceOf<A, E>>[],
    options?: WriteOptions<A, E, P>,
  ): Promise<readonly Shown<A, E, P>[]>;
  /**
   * Creates the instance, or changes the one that exists with the same `key`. References may have unique attributes
   * instead of ids.
   *
   * @example await client.upsert('sales_Product', { sku: 'SKU-1', price: '3.50' }, { key: 'sku' })
   */
  upsert<E extends EntityName<A>, const P extends FetchPlan<A, E> | undefined = undefined>(
    entity: E,
    values: Input<InstanceOf<A, E>>,
    options?: UpsertOptions<A, E, P>,
  ): Promise<Shown<A, E, P> & UpsertStatus>;
  /** Creates or changes all instances, or none. */
  upsertMany<E extends EntityName<A>, const P extends FetchPlan<A, E> | undefined = undefined>(
    entity: E,
    values: readonly Input<InstanceOf<A, E>>[],
    options?: Omit<UpsertOptions<A, E, P>, 'ifMatch'>,
  ): Promise<readonly (Shown<A, E, P> & UpsertStatus)[]>;
  /** Restores a soft-deleted instance, with the children that were deleted with it. */
  restore<E extends EntityName<A>, const P extends FetchPlan<A, E> | undefined = undefined>(
    entity: E,
    id: Id,
    options?: UpdateOptions<A, E, P>,
  ): Promise<Shown<A, E, P>>;
  /** Deletes an instance, softly if the entity is soft-deleted. */
  remove<E extends EntityName<A>>(entity: E, id: Id, options?: RemoveOptions): Promise<void>;
  /** Deletes all instances or none. */
  removeMany<E extends EntityName<A>>(entity: E, ids: readonly Id[], options?: RemoveOptions): Promise<void>;
}
