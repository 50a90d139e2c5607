import { type CallOptions, callOf, type Reply } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';
import { type Id, pathOf, withQuery } from '../connection/paths.ts';
import { NotFoundError } from '../errors/rest-error.ts';
import { type Filter, writeFilter, writeSort } from '../filters/criteria.ts';
import { namesDynamic, sortsByDynamic } from '../filters/names-dynamic.ts';
import type {
  AggregateOptions,
  AllOptions,
  CountOptions,
  FoundInstances,
  ListOptions,
  Page,
  PageOptions,
  ReadOptions,
  SearchOptions,
} from './entity-options.ts';
import { keepTag } from './entity-tags.ts';
import { writePlan } from './inline-plan.ts';

// What the types say of each application is the same code for all of them.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Any = any;
type Reading = ReadOptions<Any, Any, Any>;

const COUNT_OPTIONS = /^(filter|q|dynamicAttributes|deleted|signal|timeoutMs)$/;

const isFilter = (value: object): value is Filter<Any, Any> => typeof value === 'function' || 'conditions' in value;

const PAGE_SIZE = 500;

/** The methods that read instances. */
export function entityReads(connection: Connection) {
  const urlOf = (...segments: readonly Id[]): string => pathOf(connection.paths.entities, ...segments);

  const search = async (
    entity: string,
    options: ListOptions<Any, Any, Any> & PageOptions<Any, Any, Any>,
  ): Promise<Reply> => {
    return connection.read({
      method: 'POST',
      path: urlOf(entity, 'search'),
      headers: { prefer: options.count && `count=${options.count}` },
      json: searchMembers(entity, options),
      repeatable: true,
      ...callOf(options),
    });
  };

  async function page(entity: string, options: PageOptions<Any, Any, Any> = {}): Promise<Page<unknown>> {
    return pageOf(await search(entity, { limit: PAGE_SIZE, ...options }));
  }

  const all = (entity: string, { pageSize, ...options }: AllOptions<Any, Any, Any> = {}): AsyncGenerator<unknown> =>
    allOf((cursor) => page(entity, { ...options, limit: pageSize ?? PAGE_SIZE, cursor }));

  async function load(entity: string, id: Id, options: Reading = {}): Promise<unknown> {
    const { fetchPlan, returnNulls, dynamicAttributes, deleted } = options;
    const query = { fetchPlan: writePlan(fetchPlan, entity), returnNulls, dynamicAttributes, deleted };
    const path = withQuery(urlOf(entity, id), query);
    const reply = await unlessMissing(connection.read({ method: 'GET', path, repeatable: true, ...callOf(options) }));
    keepTag(reply?.body, reply?.headers.get('etag') ?? null);
    return reply?.body;
  }

  async function count(
    entity: string,
    criteria: Filter<Any, Any> | CountOptions<Any, Any> = {},
    given: CallOptions = {},
  ): Promise<number> {
    const options: CountOptions<Any, Any> = isFilter(criteria)
      ? { ...given, filter: criteria }
      : { ...given, ...criteria };
    const unknown = Object.keys(options).find((name) => !COUNT_OPTIONS.test(name));
    if (unknown !== undefined) throw new TypeError(`count has no option ${unknown}`);
    const { body } = await connection.read({
      method: 'POST',
      path: urlOf(entity, 'search', 'count'),
      json: { ...filterMembers(options.filter, options.dynamicAttributes), q: options.q, deleted: options.deleted },
      repeatable: true,
      ...callOf(options),
    });
    return Number(body);
  }

  const list = async (entity: string, options: ListOptions<Any, Any, Any> = {}): Promise<unknown> =>
    (await search(entity, options)).body;

  async function aggregatePage(entity: string, options: AggregateOptions<Any, Any>): Promise<Page<unknown>> {
    const { groupBy, aggregates, filter, q, having, sort, limit, offset, cursor } = options;
    const reply = await connection.read({
      method: 'POST',
      path: pathOf(`${connection.paths.base}/aggregates`, entity),
      json: { groupBy, aggregates, filter: filter && writeFilter(filter), q, having, sort, limit, offset, cursor },
      repeatable: true,
      ...callOf(options),
    });
    return pageOf(reply);
  }

  const aggregate = async (entity: string, options: AggregateOptions<Any, Any>): Promise<readonly unknown[]> =>
    (await aggregatePage(entity, options)).items;

  async function searchAll(q: string, { entities, limit, highlights, ...options }: SearchOptions = {}) {
    const path = withQuery(`${connection.paths.base}/search`, { q, entities: entities?.join(), limit, highlights });
    const { body } = await connection.read({ method: 'GET', path, repeatable: true, ...callOf(options) });
    return (body as { readonly entities: readonly FoundInstances[] }).entities;
  }

  return { load, list, page, all, count, aggregate, aggregatePage, search: searchAll };
}

/** Filters that name dynamic attributes need `dynamicAttributes` (contract/dynamic-attributes.md#filtering). */
/** The body of a search. */
export function searchMembers(
  entity: string,
  options: ListOptions<Any, Any, Any> & PageOptions<Any, Any, Any>,
): object {
  if (isFilter(options)) throw new TypeError('Write { filter: … }');
  const { filter, q, highlights, sort, fetchPlan, limit, offset, cursor, returnNulls, dynamicAttributes, deleted } =
    options;
  return {
    ...filterMembers(filter, dynamicAttributes ?? (sortsByDynamic(writeSort(sort)) || undefined)),
    q,
    highlights,
    sort: writeSort(sort),
    fetchPlan: writePlan(fetchPlan, entity),
    limit,
    offset,
    cursor,
    returnNulls,
    deleted,
  };
}

function filterMembers(filter: Filter<Any, Any> | undefined, dynamicAttributes: boolean | undefined) {
  const written = writeFilter(filter);
  return { filter: written, dynamicAttributes: dynamicAttributes ?? (namesDynamic(written) || undefined) };
}

/** A page with the position after it, from the headers of its response. */
export function pageOf<T>({ body, headers }: Reply): Page<T> {
  const cursor = /[?&]cursor=([^&>]+)[^>]*>; *rel="?next/.exec(headers.get('link') ?? '')?.[1];
  const total = headers.get('x-total-count');
  return {
    items: body as readonly T[],
    cursor: cursor === undefined ? undefined : decodeURIComponent(cursor),
    total: total === null ? undefined : Number(total),
  };
}

/** Reads page after page while the loop runs. */
export async function* allOf<T>(page: (cursor: string | undefined) => Promise<Page<T>>): AsyncGenerator<T> {
  let cursor: string | undefined;
  do {
    const read = await page(cursor);
    yield* read.items;
    cursor = read.cursor;
  } while (cursor !== undefined);
}

/** The result of a read; undefined for a missing instance: only its 404 has an empty body. */
export const unlessMissing = <T>(read: Promise<T>): Promise<T | undefined> =>
  read.catch((error: unknown) => {
    if (error instanceof NotFoundError && error.body === undefined) return undefined;
    throw error;
  });
