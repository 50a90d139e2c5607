import { type CallOptions, type ChangeOptions, callOf } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';
import { type Id, pathOf, withQuery } from '../connection/paths.ts';
import { resultOf } from '../connection/result-of.ts';
import type { Page, ReadOptions, RemoveOptions } from '../entities/entity-options.ts';
import { allOf, pageOf, unlessMissing } from '../entities/entity-reads.ts';
import { ifMatchHeader, keepTag } from '../entities/entity-tags.ts';
import { writePlan } from '../entities/inline-plan.ts';
import type { FetchPlan, Shown } from '../filters/fetch-plans.ts';
import { parseNumbers } from '../json/parse-exact.ts';
import { type NumberKinds, typeNumbers } from '../json/type-numbers.ts';
import type { ApiTypes, EntityName, InstanceOf, Name, UntypedApi } from '../model/api-types.ts';

type Row = InstanceOf<UntypedApi, string>;

/** How an instance differs between two points in time; empty values are missing, and personal ones if `masked`. */
export interface InstanceChange<T = Row> {
  readonly operation: 'created' | 'updated' | 'deleted';
  readonly attributes: readonly {
    readonly [K in Name<T>]-?: {
      readonly attribute: K;
      readonly old?: T[K];
      readonly new?: T[K];
      readonly masked?: true;
    };
  }[Name<T>][];
  /** The parts of compositions that differ. */
  readonly children?: readonly (InstanceChange & Readonly<Record<'attribute' | 'entity', string> & { id: unknown }>)[];
}

/** What one transaction, `change`, has done to an instance, and for whom. */
export interface HistoryChange<T = Row>
  extends InstanceChange<T>,
    Readonly<Record<'change' | 'time', string>>,
    Readonly<Partial<Record<'user' | 'client' | 'session' | 'service' | 'databaseUser' | 'reason' | 'trace', string>>> {
  /** Attributes that got another value which is not kept: secret and erased ones. */
  readonly secrets?: readonly string[];
}

interface PageOptions extends CallOptions {
  /** Changes in one response, at most 100; 20 by default. */
  readonly limit?: number | undefined;
  /** The position after a page. */
  readonly cursor?: string | undefined;
  readonly user?: string | undefined;
  readonly from?: string | Date | undefined;
  readonly to?: string | Date | undefined;
}

/** Which changes are listed: of this user, of this attribute, since `from` and before `to`. */
export interface HistoryOptions<T = Row> extends PageOptions {
  readonly attribute?: Name<T> | undefined;
}

/** The effect of one transaction on one of its instances. */
export interface EntityChange extends HistoryChange {
  readonly entity: string;
  readonly id: unknown;
}

/** Which changes are listed: of this entity, with this text in their reason. */
export interface AllHistoryOptions<E extends string = string> extends PageOptions {
  readonly entity?: E | undefined;
  readonly reason?: string | undefined;
}

/** Recorded changes of all instances that the caller may see, the newest first. */
export interface AllHistory<A extends ApiTypes> {
  /** A page of changes, with the position after it. */
  page(options?: AllHistoryOptions<EntityName<A>>): Promise<Page<EntityChange>>;
  /** All changes, read page by page while the loop runs. */
  all(options?: AllHistoryOptions<EntityName<A>>): AsyncIterableIterator<EntityChange>;
  /**
   * Takes back everything that a transaction has written, a large change in the background. Not repeated after a failure
   * of the network. Of such a change the first 1,000 instances are returned.
   */
  undo(change: string, options?: ChangeOptions): Promise<readonly UndoneInstance[]>;
}

/** An instance of a change that was taken back, and what has happened to it. */
export interface UndoneInstance extends Pick<EntityChange, 'entity' | 'id' | 'operation'> {}

/** Instances of one entity that a response had, or a part of them. */
export interface AccessEntry
  extends Readonly<Record<'time' | 'user' | 'operation' | 'entity', string>>,
    Readonly<Partial<Record<'seenAs' | 'client' | 'session' | 'service' | 'trace', string>>> {
  /** As in paths; missing for rows of values. */
  readonly ids?: readonly string[];
  readonly count: number;
}

/** Which entries are listed; `id` needs `entity`. */
export interface AccessLogOptions<E extends string = string> extends PageOptions {
  readonly entity?: E | undefined;
  readonly id?: string | undefined;
}

/** Who has read which instances of marked entities, the latest first. */
export interface AccessLog<A extends ApiTypes> {
  /** A page of entries, with the position after it. */
  page(options?: AccessLogOptions<EntityName<A>>): Promise<Page<AccessEntry>>;
  /** All entries, read page by page while the loop runs. */
  all(options?: AccessLogOptions<EntityName<A>>): AsyncIterableIterator<AccessEntry>;
}

/** Recorded changes of one instance, the newest first, and its former states. */
export interface InstanceHistory<A extends ApiTypes, E extends EntityName<A>, T = InstanceOf<A, E>> {
  /** A page of changes, with the position after it. */
  page(options?: HistoryOptions<T>): Promise<Page<HistoryChange<T>>>;
  /** All changes, read page by page while the loop runs. */
  all(options?: HistoryOptions<T>): AsyncIterableIterator<HistoryChange<T>>;
  /** The instance as it was, also after its deletion; undefined where it did not exist for the caller. */
  at<const P extends FetchPlan<A, E> | undefined = undefined>(
    time: string | Date,
    options?: CallOptions & Pick<ReadOptions<A, E, P>, 'fetchPlan' | 'dynamicAttributes'>,
  ): Promise<Shown<A, E, P> | undefined>;
  /** What differs until another point in time, by default now; undefined where it existed at neither. */
  diff(from: string | Date, to?: string | Date, options?: CallOptions): Promise<InstanceChange<T> | undefined>;
  /** Writes a former state, or some attributes of it, as an update does. Not repeated after a failure of the network. */
  restore(
    time: string | Date,
    options?: ChangeOptions & Pick<RemoveOptions, 'ifMatch'> & { readonly attributes?: readonly Name<T>[] | undefined },
  ): Promise<T>;
}

/** Reads recorded changes. */
export interface HistoryClient<A extends ApiTypes> {
  /** The history of an instance of an entity with `history`; nothing is read yet. */
  history<E extends EntityName<A>>(entity: E, id: Id): InstanceHistory<A, E>;
  /** The history of all instances. */
  history(): AllHistory<A>;
  /** The record of who has read instances. */
  accessLog(): AccessLog<A>;
}

/** The method for histories of a connection. */
export function createHistoryClient<A extends ApiTypes = UntypedApi>(connection: Connection): HistoryClient<A> {
  const history = (...subject: readonly [] | readonly [entity: string, id: Id]) => {
    const [entity = ''] = subject;
    const base = pathOf(`${connection.paths.base}/history`, ...subject);
    const get = (path: string, query: object, options?: CallOptions, parse?: (json: string) => unknown) => {
      const call = { method: 'GET', path: withQuery(base + path, { ...query }), repeatable: true, parse };
      return connection.read({ ...call, ...callOf(options) });
    };
    const post = (path: string, options?: ChangeOptions, sent: object = {}) =>
      connection.read({ method: 'POST', path, repeatable: false, ...sent, ...callOf(options) });
    const typed = <C extends InstanceChange & { readonly entity?: string }>(change: C) =>
      typeChange(change, connection.numbers, change.entity ?? entity);
    const parseAll = (json: string) => (parseNumbers(json) as InstanceChange[]).map(typed);
    const parseOne = (json: string) => typed(parseNumbers(json) as InstanceChange);
    const page = async ({ signal, timeoutMs, ...query }: PageOptions = {}) =>
      pageOf<EntityChange>(await get('', query, { signal, timeoutMs }, parseAll));
    const members: InstanceHistory<UntypedApi, string> & AllHistory<UntypedApi> = {
      page,
      all: (options?: PageOptions) => allOf((cursor = options?.cursor) => page({ ...options, cursor })),
      async at(time, options) {
        const { fetchPlan, dynamicAttributes } = options ?? {};
        const query = { time, fetchPlan: writePlan(fetchPlan, entity), dynamicAttributes };
        return (await unlessMissing(get('/at', query, options)))?.body as Row | undefined;
      },
      async diff(from, to, options) {
        return (await unlessMissing(get('/diff', { from, to }, options, parseOne)))?.body as InstanceChange | undefined;
      },
      async undo(change, options) {
        const sent = { headers: { prefer: 'respond-async' } };
        const reply = await post(pathOf(base, 'changes', change, 'undo'), options, sent);
        const result = (await resultOf(connection, reply, options)) as
          | UndoneInstance[]
          | { instances: UndoneInstance[] };
        return Array.isArray(result) ? result : result.instances;
      },
      async restore(time, { attributes, ifMatch, ...options } = {}) {
        const sent = { headers: { 'if-match': ifMatchHeader(ifMatch) }, json: { time, attributes } };
        const reply = await post(`${base}/restore`, options, sent);
        keepTag(reply.body, reply.headers.get('etag'));
        return reply.body as Row;
      },
    };
    return members;
  };
  const accessLog = (): AccessLog<UntypedApi> => {
    const page = async ({ signal, timeoutMs, ...query }: AccessLogOptions = {}) => {
      const path = withQuery(`${connection.paths.base}/access-log`, { ...query });
      return pageOf<AccessEntry>(
        await connection.read({ method: 'GET', path, repeatable: true, ...callOf({ signal, timeoutMs }) }),
      );
    };
    return { page, all: (options) => allOf((cursor = options?.cursor) => page({ ...options, cursor })) };
  };
  return { history, accessLog } as unknown as HistoryClient<A>;
}

/** Gives the values of a change the number types of their attributes. */
export function typeChange<C extends Pick<InstanceChange, 'attributes' | 'children'>>(
  change: C,
  kinds: NumberKinds,
  entity: string,
): C {
  for (const each of change.attributes) {
    const kind = kinds[entity]?.[each.attribute];
    typeNumbers(each, kinds, kind && { old: kind, new: kind });
  }
  for (const child of change.children ?? [])
    typeNumbers(typeChange(child, kinds, child.entity), kinds, kinds[child.entity]);
  return change;
}
