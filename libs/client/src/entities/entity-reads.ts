import { type CallOptions, callOf, type Reply } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';
import { type Id, pathOf, withQuery } from '../connection/paths.ts';
import { NotFoundError } from '../errors/rest-error.ts';
import { type Filter, writeFilter, writeSort } from '../filters/criteria.ts';
import { namesDynamic, sortsByDynamic } from '../filters/names-dynamic.ts';
import type { AllOptions, CountOptions, ListOptions, Page, PageOptions, ReadOptions } from './entity-options.ts';
import { keepTag } from './entity-tags.ts';
import { writePlan } from './inline-plan.ts';

// What the types say of each application is the same code for all of them.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Any = any;
type Reading = ReadOptions<Any, Any, Any>;

const COUNT_OPTIONS = /^(filter|dynamicAttributes|signal|timeoutMs)$/;

const isFilter = (value: object): value is Filter<Any, Any> => typeof value === 'function' || 'conditions' in value;

const PAGE_SIZE = 500;

/** The methods that read instances. */
export function entityReads(connection: Connection) {
  const urlOf = (...segments: readonly Id[]): string => pathOf(connection.paths.entities, ...segments);

  const search = async (
    entity: string,
    options: ListOptions<Any, Any, Any> & PageOptions<Any, Any, Any>,
  ): Promise<Reply> => {
    if (isFilter(options)) throw new TypeError('Write { filter: … }');
    const { filter, sort, fetchPlan, limit, offset, cursor, count, returnNulls, dynamicAttributes } = options;
    return connection.read({
      method: 'POST',
      path: urlOf(entity, 'search'),
      headers: { prefer: count && `count=${count}` },
      json: {
        ...filterMembers(filter, dynamicAttributes ?? (sortsByDynamic(writeSort(sort)) || undefined)),
        sort: writeSort(sort),
        fetchPlan: writePlan(fetchPlan, entity),
        limit,
        offset,
        cursor,
        returnNulls,
      },
      repeatable: true,
      ...callOf(options),
    });
  };

  async function page(entity: string, options: PageOptions<Any, Any, Any> = {}): Promise<Page<unknown>> {
    const { body, headers } = await search(entity, { limit: PAGE_SIZE, ...options });
    const cursor = /[?&]cursor=([^&>]+)[^>]*>; *rel="?next/.exec(headers.get('link') ?? '')?.[1];
    const total = headers.get('x-total-count');
    return {
      items: body as readonly unknown[],
      cursor: cursor === undefined ? undefined : decodeURIComponent(cursor),
      total: total === null ? undefined : Number(total),
    };
  }

  async function* all(
    entity: string,
    { pageSize, ...options }: AllOptions<Any, Any, Any> = {},
  ): AsyncGenerator<unknown> {
    let cursor: string | undefined;
    do {
      const read = await page(entity, { ...options, limit: pageSize ?? PAGE_SIZE, cursor });
      yield* read.items;
      cursor = read.cursor;
    } while (cursor !== undefined);
  }

  async function load(entity: string, id: Id, options: Reading = {}): Promise<unknown> {
    const { fetchPlan, returnNulls, dynamicAttributes } = options;
    const query = { fetchPlan: writePlan(fetchPlan, entity), returnNulls, dynamicAttributes };
    try {
      const { body, headers } = await connection.read({
        method: 'GET',
        path: withQuery(urlOf(entity, id), query),
        repeatable: true,
        ...callOf(options),
      });
      keepTag(body, headers.get('etag'));
      return body;
    } catch (error) {
      // Only a missing instance has an empty body.
      if (error instanceof NotFoundError && error.body === undefined) return undefined;
      throw error;
    }
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
      json: filterMembers(options.filter, options.dynamicAttributes),
      repeatable: true,
      ...callOf(options),
    });
    return Number(body);
  }

  const list = async (entity: string, options: ListOptions<Any, Any, Any> = {}): Promise<unknown> =>
    (await search(entity, options)).body;

  return { load, list, page, all, count };
}

/** Filters that name dynamic attributes need `dynamicAttributes` (contract/dynamic-attributes.md#filtering). */
function filterMembers(filter: Filter<Any, Any> | undefined, dynamicAttributes: boolean | undefined) {
  const written = writeFilter(filter);
  return { filter: written, dynamicAttributes: dynamicAttributes ?? (namesDynamic(written) || undefined) };
}
