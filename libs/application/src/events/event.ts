import type { JsonSchema } from '@lintel/metadata';
import type { ApplicationData } from '../data-manager.ts';
import type { JobAuthor, JobLog } from '../jobs/job.ts';

/** An event of the application, or of another one. */
export interface OwnEvent<T = unknown> {
  /** `<id of the application>.<fact>.v<N>`. */
  readonly type: string;
  /** JSON Schema (draft-07) of its data. */
  readonly schema: JsonSchema;
  /** `source` of the events of another application, `/sales`; absent if this one publishes them. */
  readonly source?: string;
  /** By the types of earlier versions: return the data as this version has it. */
  readonly upcasts?: Readonly<Record<string, (data: never) => T>>;
  /** Never set; only for the inference of `T`. */
  readonly data?: T;
}

/**
 * Declares an event for `events` of the application; with `source`, an event of another one for {@link onEvent}.
 * Handlers of an event with `upcasts` get its earlier versions too, as if they were this one.
 *
 * ```ts
 * const confirmed = event<{ patient: string }>('clinic.appointment-confirmed.v1', {
 *   type: 'object', required: ['patient'], properties: { patient: { type: 'string' } },
 * });
 * const shipped = event<Shipped>('dispatch.shipped.v2', SCHEMA, {
 *   source: '/dispatch', upcasts: { 'dispatch.shipped.v1': (data: ShippedV1) => ({ ...data, parcels: 1 }) },
 * });
 * ```
 */
export const event = <T = Readonly<Record<string, unknown>>>(
  type: string,
  schema: JsonSchema,
  options: Pick<OwnEvent<T>, 'source' | 'upcasts'> = {},
): OwnEvent<T> => Object.freeze({ type, schema, ...options });

/** Publishes the events of the application. */
export interface EventPublisher {
  /**
   * Publishes an event in the transaction of the data manager, without one in a separate transaction: what is rolled
   * back publishes nothing.
   *
   * @param subject what the event is about: events of one subject are delivered in the order of their commits
   * @returns the id of the event
   * @throws RangeError for an event that is not declared, data that does not match its schema, and an empty subject
   */
  publish<T>(event: OwnEvent<T>, subject: string, data: T): Promise<string>;
}

/** The `data` of a change (contract/events.md#changes). */
export interface ChangeData {
  readonly entity: string;
  readonly id: unknown;
  readonly change: 'created' | 'updated' | 'deleted';
  readonly attributes: readonly string[];
  readonly by: string;
}

/** Changes of the instances of an entity and of its descendants. */
export interface EntityChanges {
  readonly entity: string;
  /** All three without it. */
  readonly changes?: readonly ChangeData['change'][];
  /**
   * Values that the change has set, of attributes of an enumeration or a boolean: `{ status: 'CONFIRMED' }`. A change of
   * an instance that had the value already is left out.
   */
  readonly became?: Readonly<Record<string, string | boolean>>;
}

/** An event as a handler gets it. */
export interface HandledEvent<T> {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  /** When it was published, ISO 8601 in UTC. */
  readonly time: string;
  readonly data: T;
  /** 1 for the first attempt to handle it. */
  readonly attempt: number;
}

/** The context of a handler. */
export interface EventContext<T> {
  readonly event: HandledEvent<T>;
  /**
   * Reads and writes with the rights of the handler, in the transaction that records that the event is handled;
   * `data.unconstrained()` without their limits.
   */
  readonly data: ApplicationData;
  /** Aborted when the process ends. */
  readonly signal: AbortSignal;
  readonly log: JobLog;
}

/** Rights of a handler, and what happens when it fails (contract/events.md#handlers). */
export interface HandlerOptions {
  /** Under which the database remembers what was handled: a handler with another name begins anew. */
  readonly name: string;
  /** Name of a user, or roles: the handler reads and writes with these rights. */
  readonly as: JobAuthor;
  /** Attempts after the first one: 0 to 20; 10 without it. Then the event is a dead letter. */
  readonly retries?: number;
  /** Longest time of an attempt in seconds: 1 to 3,600; 60 without it. Then its signal is aborted, and it has failed. */
  readonly timeout?: number;
}

/** A handler of the application. */
export interface EventHandler {
  readonly on: OwnEvent | EntityChanges;
  readonly options: HandlerOptions;
  /** Only its declaration knows the type of the data. */
  readonly handle: (context: EventContext<never>) => unknown;
}

/**
 * Declares a handler of an event or of changes of an entity, for `eventHandlers` of the application. Each event is
 * handled once: what the handler writes by `data` is committed together with the record of it.
 *
 * ```ts
 * onEvent(confirmed, { name: 'remind', as: 'reminders' }, async ({ event, data }) => { … })
 * onEvent({ entity: 'clinic_Visit', changes: ['deleted'] }, { name: 'free-slot', as: 'planner' }, async (context) => { … })
 * ```
 */
export function onEvent<T>(
  on: OwnEvent<T>,
  options: HandlerOptions,
  handle: (context: EventContext<T>) => unknown,
): EventHandler;
export function onEvent(
  on: EntityChanges,
  options: HandlerOptions,
  handle: (context: EventContext<ChangeData>) => unknown,
): EventHandler;
export function onEvent(
  on: OwnEvent | EntityChanges,
  options: HandlerOptions,
  handle: (context: EventContext<never>) => unknown,
): EventHandler {
  return Object.freeze({ on, options, handle });
}
