import {
  BOOLEAN,
  COUNT,
  empty,
  inHeader,
  inPath,
  inQuery,
  json,
  listOf,
  MODEL_VERSION,
  type RouteDescription,
  ref,
} from './route-description.ts';

const TAG = 'Entities';
const entityName = inPath('entityName', 'Name of an entity of the application');
const entityId = inPath('entityId', 'Id; composite ids as base64url of their JSON object');
const fetchPlan = inQuery('fetchPlan', 'Name of a fetch plan, or an inline plan as JSON');
const responseFetchPlan = inQuery('responseFetchPlan', 'Fetch plan of the answer; without it only the id is answered');
const returnNulls = inQuery('returnNulls', 'Whether attributes without a value are listed as null', BOOLEAN);
const dynamicAttributes = inQuery(
  'dynamicAttributes',
  'Whether the attributes that administrators defined are shown, as members `+code`',
  BOOLEAN,
);
const returnCount = inQuery('returnCount', 'Whether `X-Total-Count` is sent', BOOLEAN);
const prefer = inHeader('Prefer', '`count=exact`, `count=estimated`, `count=none`; `server-timing`');
const cursor = inQuery('cursor', 'Where the page begins, from the `Link` of an earlier answer; not beside `offset`');
const paging = [
  fetchPlan,
  inQuery('limit', 'Greatest number of instances', COUNT),
  inQuery('offset', 'Zero-based position of the first instance', COUNT),
  cursor,
  inQuery('sort', 'Attributes with commas; `-` sorts descending'),
  returnNulls,
  dynamicAttributes,
  returnCount,
  prefer,
];
const ifMatch = inHeader('If-Match', 'Tag of the version that is to be changed');
const idempotencyKey = inHeader(
  'Idempotency-Key',
  'Chosen by the client for this one request, e.g. a UUID: a repeat within 24 hours gets the first answer and changes nothing',
);
const replayed = { 'Idempotency-Replayed': '`true` where the answer is that to an earlier request with the same key' };
const entities = json('Instances', listOf(ref('Entity')), {
  'X-Total-Count': 'Number of all matching instances, when asked for',
  Link: 'The next page (`rel="next"`), behind a full one whose `limit` was asked for',
  'Preference-Applied': 'Preferences that were followed',
});
const oneOrMany = { oneOf: [ref('Entity'), listOf(ref('Entity'))] };
const violations = { oneOf: [ref('ValidationFailure'), ref('Error')] };
const refused = json('Violated rules, or another mistake of the request', violations);

/** `path` is the path of the entity API, e.g. `/rest/entities`. */
export const entityRoutes = (path: string): readonly RouteDescription[] => operations(path).map(withModelVersion);

/** A search by body has all of its parameters there. */
const withModelVersion = (route: RouteDescription): RouteDescription =>
  route.method === 'post' && route.path.includes('/search')
    ? route
    : { ...route, parameters: [...(route.parameters ?? []), MODEL_VERSION] };

const operations = (path: string): readonly RouteDescription[] => [
  {
    method: 'get',
    path: `${path}/{entityName}`,
    operationId: 'listEntities',
    tag: TAG,
    summary: 'Lists instances',
    parameters: [entityName, ...paging],
    responses: { 200: entities },
    errors: [400, 403, 404],
  },
  {
    method: 'post',
    path: `${path}/{entityName}`,
    operationId: 'createEntities',
    tag: TAG,
    summary: 'Creates an instance, or several of an array together',
    parameters: [entityName, responseFetchPlan, idempotencyKey],
    request: { ...json('An instance or an array of them', oneOrMany), required: true },
    responses: { 201: json('Created', oneOrMany, { Location: 'URL of the new instance', ...replayed }), 400: refused },
    errors: [403, 404, 409, 413, 422],
  },
  {
    method: 'put',
    path: `${path}/{entityName}`,
    operationId: 'updateEntities',
    tag: TAG,
    summary: 'Updates several instances together',
    parameters: [entityName, responseFetchPlan, idempotencyKey],
    request: { ...json('Instances with their ids', listOf(ref('Entity'))), required: true },
    responses: { 200: json('Updated', listOf(ref('Entity')), replayed), 400: refused },
    errors: [403, 404, 409, 413, 422],
  },
  {
    method: 'delete',
    path: `${path}/{entityName}`,
    operationId: 'deleteEntities',
    tag: TAG,
    summary: 'Deletes several instances together',
    parameters: [entityName, idempotencyKey],
    request: { ...json('Ids, or objects with `id`', { type: 'array' }), required: true },
    responses: { 204: empty('Deleted') },
    errors: [400, 403, 404, 409, 422],
  },
  {
    method: 'get',
    path: `${path}/{entityName}/{entityId}`,
    operationId: 'getEntity',
    tag: TAG,
    summary: 'Reads one instance',
    parameters: [
      ...[entityName, entityId, fetchPlan, returnNulls, dynamicAttributes],
      inHeader('If-None-Match', 'Tag of a known answer'),
    ],
    responses: {
      200: json('The instance', ref('Entity'), { ETag: 'Tag of this answer' }),
      304: empty('Not changed since'),
      404: empty('No such instance'),
    },
    errors: [400, 403],
  },
  {
    method: 'put',
    path: `${path}/{entityName}/{entityId}`,
    operationId: 'updateEntity',
    tag: TAG,
    summary: 'Changes the sent attributes of one instance',
    parameters: [entityName, entityId, responseFetchPlan, ifMatch, idempotencyKey],
    request: { ...json('Attributes to be changed', ref('Entity')), required: true },
    responses: { 200: json('Updated', ref('Entity'), { ETag: 'Tag of this answer', ...replayed }), 400: refused },
    errors: [403, 404, 409, 412, 413, 422],
  },
  {
    method: 'delete',
    path: `${path}/{entityName}/{entityId}`,
    operationId: 'deleteEntity',
    tag: TAG,
    summary: 'Deletes one instance',
    parameters: [entityName, entityId, ifMatch, idempotencyKey],
    responses: { 204: empty('Deleted') },
    errors: [400, 403, 404, 409, 412, 422],
  },
  ...searchRoutes(path),
];

/** A body has its page itself, but for the cursor of the link to the next one. */
const pagingOf = (method: 'get' | 'post') => (method === 'get' ? paging : [cursor, prefer]);

function searchRoutes(path: string): readonly RouteDescription[] {
  const filter = { ...inQuery('filter', 'Filter as JSON'), required: true };
  const search = { ...json('Filter, plan, order and page', ref('Search')), required: true };
  const count = json('Number of matching instances', COUNT);
  const routes = [
    ['get', '', 'searchEntitiesByUrl', 'Searches instances; the filter is in the URL', entities],
    ['post', '', 'searchEntities', 'Searches instances', entities],
    ['get', '/count', 'countEntitiesByUrl', 'Counts instances; the filter is in the URL', count],
    ['post', '/count', 'countEntities', 'Counts instances', count],
  ] as const;
  return routes.map(([method, end, operationId, summary, answer]) => ({
    method,
    path: `${path}/{entityName}/search${end}`,
    operationId,
    tag: 'Search',
    summary,
    parameters: [entityName, ...(method === 'get' ? [filter] : []), ...(end === '' ? pagingOf(method) : [])],
    ...(method === 'post' ? { request: search } : {}),
    responses: { 200: answer },
    errors: [400, 403, 404],
  }));
}
