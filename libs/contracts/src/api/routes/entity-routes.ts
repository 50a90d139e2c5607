import {
  COUNT,
  empty,
  inHeader,
  inPath,
  inQuery,
  json,
  jsonText,
  listOf,
  type ParameterDescription,
  type RouteDescription,
  ref,
  type Schema,
} from '../route-description.ts';
import {
  DYNAMIC_ATTRIBUTES,
  FETCH_PLAN,
  IF_NONE_MATCH,
  LIMIT,
  MODEL_VERSION,
  OFFSET,
  RETURN_COUNT,
  RETURN_NULLS,
} from './parameters.ts';

/** What the routes of the entity API are described for: any entity, or one of the model. */
export interface EntitySubject {
  /** Segment of the path: `{entityName}`, or a name. */
  readonly segment: string;
  /** The parameters of that segment. */
  readonly parameters: readonly ParameterDescription[];
  readonly entityId: ParameterDescription;
  /** Of its instances. */
  readonly schema: Schema;
  /** End of the operation ids, which are unique in a document. */
  readonly suffix: string;
  readonly tags: { readonly entities: string; readonly search: string };
  readonly examples?: {
    /** As in responses. */
    readonly instance?: unknown;
    /** As it is sent to be created. */
    readonly creation?: unknown;
    readonly search?: unknown;
  };
}

/** Every entity, by its name in the path. */
export const anyEntity = (examples: { readonly entityName?: string } = {}): EntitySubject => ({
  segment: '{entityName}',
  parameters: [entityNameParameter(examples.entityName)],
  entityId: inPath('entityId', 'Id; composite ids as base64url of their JSON object'),
  schema: ref('Entity'),
  suffix: '',
  tags: { entities: 'Entities', search: 'Search' },
});

/** The parameter of all routes that begin with an entity. */
export const entityNameParameter = (example?: string): ParameterDescription => ({
  ...inPath('entityName', 'Name of an entity of the application'),
  ...(example === undefined ? {} : { example }),
});

const RESPONSE_FETCH_PLAN = inQuery(
  'responseFetchPlan',
  'Fetch plan of the answer; without it only what identifies the instance is answered',
);
const PREFER = inHeader('Prefer', '`count=exact`, `count=estimated`, `count=none`; `server-timing`');
const CURSOR = inQuery('cursor', 'Where the page begins, from the `Link` of an earlier answer; not beside `offset`');
const SORT = inQuery('sort', 'Attributes with commas; `-` sorts descending');
const PAGING = [
  ...[FETCH_PLAN, LIMIT, OFFSET, CURSOR, SORT],
  ...[RETURN_NULLS, DYNAMIC_ATTRIBUTES, RETURN_COUNT, PREFER],
];
const IF_MATCH = inHeader('If-Match', 'Tag of the version that is to be changed');
const IDEMPOTENCY_KEY = inHeader(
  'Idempotency-Key',
  'Chosen by the client for this one request, e.g. a UUID: a repeat within 24 hours gets the first answer and changes nothing',
);
const REPLAYED = {
  'Idempotency-Replayed': '`true` where the answer is that to an earlier request with the same key',
};
const TAG = { ETag: 'Tag of this answer' };
const LIST_HEADERS = {
  'X-Total-Count': 'Number of all matching instances, when asked for',
  Link: 'The next page (`rel="next"`), behind a full one whose `limit` was asked for',
  'Preference-Applied': 'Preferences that were followed',
};
const REFUSED = json('Violated rules, or another mistake of the request', {
  anyOf: [ref('ValidationFailure'), ref('Error')],
});
const MISSING = empty('There is no such instance, or the caller may not see it');
/** Without a body for an instance that is not there, with one for anything else (contract/decisions.md#1). */
const MISSING_OR_UNKNOWN = { ...MISSING, content: { 'application/json': ref('Error') } };

/**
 * The entity API (contract/reading.md#reading, contract/writing.md#writing).
 *
 * @param path e.g. `/rest/entities`
 */
export function entityRoutes(path: string, subject: EntitySubject): readonly RouteDescription[] {
  const all = `${path}/${subject.segment}`;
  const one = `${all}/{entityId}`;
  const inAll = subject.parameters;
  const inOne = [...subject.parameters, subject.entityId];
  const { schema, examples = {}, suffix } = subject;
  const exampleOf = examples.instance === undefined ? {} : { example: examples.instance };
  const listed = examples.instance === undefined ? {} : { example: [examples.instance] };
  const sent = examples.creation === undefined ? {} : { example: examples.creation };
  const oneOrMany = { anyOf: [schema, listOf(schema)] };
  const tag = subject.tags.entities;
  const routes: readonly RouteDescription[] = [
    {
      method: 'get',
      path: all,
      operationId: `listEntities${suffix}`,
      tag,
      summary: 'Lists instances',
      parameters: [...inAll, ...PAGING],
      responses: { 200: { ...json('Instances', listOf(schema), LIST_HEADERS), ...listed } },
      errors: [400, 403, 404, 406],
    },
    {
      method: 'post',
      path: all,
      operationId: `createEntities${suffix}`,
      tag,
      summary: 'Creates an instance, or several of an array together',
      parameters: [...inAll, RESPONSE_FETCH_PLAN, IDEMPOTENCY_KEY],
      request: { ...json('An instance or an array of them', oneOrMany), ...sent, required: true },
      responses: {
        201: {
          ...json('Created', oneOrMany, { Location: 'URL of the new instance', ...TAG, ...REPLAYED }),
          ...exampleOf,
        },
        400: REFUSED,
      },
      errors: [403, 404, 406, 409, 422],
    },
    {
      method: 'put',
      path: all,
      operationId: `updateEntities${suffix}`,
      tag,
      summary: 'Updates several instances together',
      parameters: [...inAll, RESPONSE_FETCH_PLAN, IDEMPOTENCY_KEY],
      request: { ...json('Instances with their ids', listOf(schema)), required: true },
      responses: { 200: json('Updated', listOf(schema), REPLAYED), 400: REFUSED, 404: MISSING_OR_UNKNOWN },
      errors: [403, 406, 409, 422],
    },
    {
      method: 'delete',
      path: all,
      operationId: `deleteEntities${suffix}`,
      tag,
      summary: 'Deletes several instances together',
      parameters: [...inAll, IDEMPOTENCY_KEY],
      request: {
        ...json('Ids, or objects with `id`', { type: 'array', items: { anyOf: [ref('EntityId'), ref('WithId')] } }),
        required: true,
      },
      responses: { 204: empty('Deleted', REPLAYED), 404: MISSING_OR_UNKNOWN },
      errors: [400, 403, 406, 409, 422],
    },
    {
      method: 'get',
      path: one,
      operationId: `getEntity${suffix}`,
      tag,
      summary: 'Reads one instance',
      parameters: [...inOne, FETCH_PLAN, RETURN_NULLS, DYNAMIC_ATTRIBUTES, IF_NONE_MATCH, PREFER],
      responses: {
        200: { ...json('The instance', schema, TAG), ...exampleOf },
        304: empty('Not changed since', TAG),
        404: MISSING_OR_UNKNOWN,
      },
      errors: [400, 403, 406],
    },
    {
      method: 'put',
      path: one,
      operationId: `updateEntity${suffix}`,
      tag,
      summary: 'Changes the sent attributes of one instance',
      parameters: [...inOne, RESPONSE_FETCH_PLAN, IF_MATCH, IDEMPOTENCY_KEY],
      request: { ...json('Attributes to be changed', schema), required: true },
      responses: {
        200: { ...json('Updated', schema, { ...TAG, ...REPLAYED }), ...exampleOf },
        400: REFUSED,
        404: MISSING_OR_UNKNOWN,
      },
      errors: [403, 406, 409, 412, 422],
    },
    {
      method: 'delete',
      path: one,
      operationId: `deleteEntity${suffix}`,
      tag,
      summary: 'Deletes one instance',
      parameters: [...inOne, IF_MATCH, IDEMPOTENCY_KEY],
      responses: { 204: empty('Deleted', REPLAYED), 404: MISSING_OR_UNKNOWN },
      errors: [400, 403, 406, 409, 412, 422],
    },
    ...searchRoutes(`${all}/search`, subject),
  ];
  return routes.map(withModelVersion);
}

/** A search by body has all of its parameters there. */
const withModelVersion = (route: RouteDescription): RouteDescription =>
  route.method === 'post' && route.path.includes('/search')
    ? route
    : { ...route, parameters: [...(route.parameters ?? []), MODEL_VERSION] };

/** A body has its page itself, but for the cursor of the link to the next one. */
const pagingOf = (method: 'get' | 'post'): readonly ParameterDescription[] =>
  method === 'get' ? PAGING : [CURSOR, PREFER];

function searchRoutes(path: string, subject: EntitySubject): readonly RouteDescription[] {
  const filter = { ...inQuery('filter', 'Filter as JSON', jsonText(ref('Filter'))), required: true };
  const { schema, examples = {}, suffix } = subject;
  const sent = examples.search === undefined ? {} : { example: examples.search };
  const search = { ...json('Filter, plan, order and page', ref('Search')), ...sent, required: true };
  const found = json('Instances', listOf(schema), LIST_HEADERS);
  const count = json('Number of matching instances', COUNT);
  const routes = [
    ['get', '', 'searchEntitiesByUrl', 'Searches instances; the filter is in the URL', found],
    ['post', '', 'searchEntities', 'Searches instances', found],
    ['get', '/count', 'countEntitiesByUrl', 'Counts instances; the filter is in the URL', count],
    ['post', '/count', 'countEntities', 'Counts instances', count],
  ] as const;
  return routes.map(([method, end, operationId, summary, response]) => ({
    method,
    path: `${path}${end}`,
    operationId: `${operationId}${suffix}`,
    tag: subject.tags.search,
    summary,
    parameters: [...subject.parameters, ...(method === 'get' ? [filter] : []), ...(end === '' ? pagingOf(method) : [])],
    ...(method === 'post' ? { request: search } : {}),
    responses: { 200: response },
    errors: [400, 403, 404, 406],
  }));
}
