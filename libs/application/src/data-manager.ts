import type { EventPublisher } from './events/event.ts';
import type { JobQueue } from './jobs/job.ts';
import type { MailQueue } from './mails/mail.ts';
import type { NotificationQueue } from './notifications/notification.ts';

/** Options of a load: filter in the client form (contract/filters.md#filters), a plan's name or an inline plan. */
export interface LoadOptions {
  /** In the form of clients: `{ conditions: [{ property: 'status', operator: '=', value: 'NEW' }] }`. */
  readonly filter?: unknown;
  /** Words that are searched (contract/search.md#q); without `sort` the best matches are the first ones. */
  readonly q?: string;
  /** Name of a plan, or a plan: `{ entity, properties }`. Without it `_base`. */
  readonly fetchPlan?: unknown;
  /** Attributes with commas; `-` sorts descending: `-date,number`. */
  readonly sort?: string;
  /** Maximum number of instances; without it there is none. */
  readonly limit?: number;
  /** Number of instances that are skipped, in the order of `sort`; 0 without it. */
  readonly offset?: number;
  /** Also what administrators defined, as members `+code`. */
  readonly dynamicAttributes?: boolean;
  /** Only soft-deleted instances, or these with the others; callers need the specific policy `bin.read`. */
  readonly deleted?: 'only' | 'with';
}

/** An instance in its JSON form. */
export interface Instance {
  /** A text, a number for integer keys, an object for composite keys. */
  id: unknown;
  /**
   * Attributes by their names, and members such as `_entityName`; those that the fetch plan does not have are
   * missing.
   */
  [member: string]: unknown;
}

/** Reads and writes instances in their JSON form. Decimals and 64-bit integers are exact texts. */
export interface DataManager {
  /** The instance with that id; undefined if there is none. */
  load(
    entity: string,
    id: unknown,
    options?: Pick<LoadOptions, 'fetchPlan' | 'dynamicAttributes' | 'deleted'>,
  ): Promise<Instance | undefined>;
  /** All instances that match; without `limit` as many as there are. */
  loadList(entity: string, options?: LoadOptions): Promise<readonly Instance[]>;
  /** The number of instances that match. */
  count(entity: string, options?: Pick<LoadOptions, 'filter' | 'q' | 'deleted'>): Promise<number>;
  /** Groups and aggregates by the body of a request (contract/aggregates.md#request). Numbers are exact texts. */
  aggregate(entity: string, question: object): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Creates an instance with its composition children and returns its id. */
  create(entity: string, values: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Updates the instance whose `id` is among the values, creates one if there is none; returns the id. */
  save(entity: string, values: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Changes the given attributes; the others stay unchanged. */
  update(entity: string, id: unknown, values: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Deletes an instance, softly if the entity is soft-deleted; with `deleted`, a soft-deleted one for good. Callers then
   * need the specific policy `bin.purge`.
   */
  remove(entity: string, id: unknown, options?: { readonly deleted?: 'only' }): Promise<void>;
  /**
   * Restores a soft-deleted instance with the children that were deleted with it; callers need the specific policy
   * `bin.restore`.
   */
  restore(entity: string, id: unknown): Promise<void>;
  /** Queues runs of jobs, in the same transaction as the writes of this data manager. */
  readonly jobs: JobQueue;
  /** Publishes events of the application, in the same transaction. */
  readonly events: EventPublisher;
  /** Sends mails after the commit of the writes of this data manager. */
  readonly mails: MailQueue;
  /** Notifies users in the console, in the same transaction as the writes of this data manager. */
  readonly notifications: NotificationQueue;
}

/** `DataManager` with everything that service methods and controllers may do. */
export interface ApplicationData extends DataManager {
  /** The same without the limits of the caller's roles: for what the application decides itself. */
  unconstrained(): ApplicationData;
  /**
   * Runs `work` in one transaction: an exception rolls back everything that was done through the `data` it
   * gets. Inside a transaction there is no further one.
   */
  inTransaction<T>(work: (data: ApplicationData) => Promise<T>): Promise<T>;
  /**
   * A `DataSource` of TypeORM with the entities of the model, by their names: inside a transaction over its connection,
   * otherwise over connections of the platform, one for each statement. It is valid until the call, or the
   * transaction, has ended. `D` is the type `DataSource` of the package `typeorm`.
   *
   * TypeORM applies neither the rights of the caller nor rules, listeners, delete policies and events of the model; see
   * the guide on services.
   *
   * @throws PlatformError ACCESS_DENIED if roles limit the caller; `unconstrained()` has no caller
   */
  dataSource<D = unknown>(): Promise<D>;
}
