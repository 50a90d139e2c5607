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
} from '../../route-description.ts';
import {
  DYNAMIC_ATTRIBUTES,
  FETCH_PLAN,
  IF_NONE_MATCH,
  LIMIT,
  MODEL_VERSION,
  OFFSET,
  RETURN_COUNT,
  RETURN_NULLS,
} from '../parameters.ts';

/** What the model says of an entity, for people. */
export interface EntityTexts {
  /** Ends summaries: ` of sales_Order`. */
  readonly name: string;
  /** Further sentences by operation; none where the texts of any entity are enough. */
  readonly reading: string;
  readonly creating: string;
  readonly updating: string;
  readonly deleting: string;
}

/** What the routes of the entity API are described for: any entity, or one of the model. */
export interface EntitySubject {
  /** Segment of the path: `{entityName}`, or a name. */
  readonly segment: string;
  /** The parameters of that segment. */
  readonly parameters: readonly ParameterDescription[];
  readonly entityId: ParameterDescription;
  /** Of an id in JSON. */
  readonly id: Schema;
  /** Of its instances. */
  readonly schema: Schema;
  /** End of the operation ids, which are unique in a document. */
  readonly suffix: string;
  readonly tags: { readonly entities: string; readonly search: string };
  /** Texts of one entity; without them those of any. */
  readonly texts?: EntityTexts;
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
  id: ref('EntityId'),
  schema: ref('Entity'),
  suffix: '',
  tags: { entities: 'Entities', search: 'Search' },
  examples: { creation: { name: 'Example' } },
});

const MERGING =
  'Children of a composition are merged by what each of them names; children that the array does not contain are removed, new ones are created. Objects in JSON attributes are merged member by member.';

const ANY_TEXTS: EntityTexts = { name: '', reading: '', creating: '', updating: '', deleting: '' };

const sentences = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join(' ');

/** The parameter of all routes that begin with an entity. */
export const entityNameParameter = (example?: string): ParameterDescription => ({
  ...inPath('entityName', 'Name of an entity of the application'),
  ...(example === undefined ? {} : { example }),
});

const RESPONSE_FETCH_PLAN = inQuery(
  'responseFetchPlan',
  'Fetch plan of the response; without it the response has only what identifies the instance',
);
const PREFER = inHeader(
  'Prefer',
  '`count=exact`, `count=estimated`, `count=none`; `server-timing`; `handling=strict` refuses unknown parameters',
);
const PREFER_RETURN = inHeader(
  'Prefer',
  '`return=minimal` for a response without a body, `return=representation` for the instance as a read returns it; `handling=strict` refuses unknown members',
);
const CURSOR = inQuery(
  'cursor',
  'Where the page begins, from the `Link` of an earlier response; not together with `offset`',
);
const SORT = inQuery('sort', 'Attributes with commas; `-` sorts descending');
const PAGING = [
  ...[FETCH_PLAN, LIMIT, OFFSET, CURSOR, SORT],
  ...[RETURN_NULLS, DYNAMIC_ATTRIBUTES, RETURN_COUNT, PREFER],
];
const IF_MATCH = inHeader('If-Match', 'Tag of the version that is to be changed');
const IDEMPOTENCY_KEY = inHeader(
  'Idempotency-Key',
  'Chosen by the client for this one request, e.g. a UUID: a repeat within 24 hours gets the first response and changes nothing',
);
const REPLAYED = {
  'Idempotency-Replayed': '`true` if the response is that to an earlier request with the same key',
};
const APPLIED = { 'Preference-Applied': 'Preferences that were followed' };
const TAG = { ETag: 'Tag of this response' };
const LIST_HEADERS = {
  'X-Total-Count': 'Number of all matching instances, if requested',
  Link: 'The next page (`rel="next"`), if the request has a `limit` and the page is full',
  ...APPLIED,
};
const REFUSED = json('Violated rules, or another mistake of the request', ref('Refusal'));
const UNREAD = empty('Updated; the caller prefers no body', { ...REPLAYED, ...APPLIED });
const MERGE_PATCH = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
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
  const routes = [
    ...collectionRoutes(all, subject),
    ...instanceRoutes(`${all}/{entityId}`, subject),
    ...searchRoutes(`${all}/search`, subject),
  ];
  return routes.map(withModelVersion);
}

/** Lists instances, and changes several of them together. */
function collectionRoutes(path: string, subject: EntitySubject): readonly RouteDescription[] {
  const { schema, examples = {}, suffix } = subject;
  const tag = subject.tags.entities;
  const { name, reading, creating, updating, deleting } = subject.texts ?? ANY_TEXTS;
  const listed = examples.instance === undefined ? {} : { example: [examples.instance] };
  return [
    {
      method: 'get',
      path,
      operationId: `listEntities${suffix}`,
      tag,
      summary: `Lists instances${name}`,
      description: sentences(
        'Returns a page of the instances that the caller may read, without those that were deleted.',
        'The fetch plan chooses the attributes; without one, they are those of `_base`.',
        reading,
      ),
      parameters: [...subject.parameters, ...PAGING],
      responses: { 200: { ...json('Instances', listOf(schema), LIST_HEADERS), ...listed } },
      errors: [400, 403, 404, 406],
    },
    {
      method: 'post',
      path,
      operationId: `createEntities${suffix}`,
      tag,
      summary: `Creates an instance${name}`,
      description: sentences(
        'The body may also be an array of instances, which are created together or not at all; then the response is an array, too.',
        'The response has the attributes of `responseFetchPlan`.',
        creating,
      ),
      parameters: [...subject.parameters, RESPONSE_FETCH_PLAN, PREFER_RETURN, IDEMPOTENCY_KEY],
      request: { ...json('The instance', schema), ...exampleOf(examples.creation), required: true, isOneOrMany: true },
      responses: {
        201: {
          ...json('Created', schema, { Location: 'URL of the new instance', ...TAG, ...REPLAYED, ...APPLIED }),
          ...exampleOf(examples.instance),
          isOneOrMany: true,
        },
        400: REFUSED,
      },
      errors: [403, 404, 406, 409, 422],
    },
    {
      method: 'put',
      path,
      operationId: `updateEntities${suffix}`,
      tag,
      summary: `Updates several instances${name} together`,
      description: sentences(
        'Every instance of the array names its `id`. All are updated, or none. Attributes that are not sent are kept.',
        updating,
      ),
      parameters: [...subject.parameters, RESPONSE_FETCH_PLAN, PREFER_RETURN, IDEMPOTENCY_KEY],
      request: { ...json('Instances with their ids', listOf(schema)), ...listed, required: true },
      responses: {
        200: json('Updated', listOf(schema), { ...REPLAYED, ...APPLIED }),
        204: UNREAD,
        400: REFUSED,
        404: MISSING_OR_UNKNOWN,
      },
      errors: [403, 406, 409, 422],
    },
    {
      method: 'patch',
      path,
      operationId: `patchEntities${suffix}`,
      tag,
      summary: `Patches several instances${name} together`,
      description: sentences(
        'Every merge patch of the array names its `id` and what is to be merged into the instance. All are updated, or none.',
        MERGING,
        'The paths of a JSON Patch begin with the id of an instance (`/<id>/lines/<id>/quantity`).',
        updating,
      ),
      parameters: [...subject.parameters, RESPONSE_FETCH_PLAN, PREFER_RETURN, IDEMPOTENCY_KEY],
      request: {
        description: 'Merge patches (RFC 7396) with their ids, or one JSON Patch (RFC 6902)',
        content: { [MERGE_PATCH]: listOf(schema), [JSON_PATCH]: ref('JsonPatch') },
        ...listed,
        examples: { [JSON_PATCH]: [] },
        required: true,
      },
      responses: {
        200: json('Updated', listOf(schema), { ...REPLAYED, ...APPLIED }),
        204: UNREAD,
        400: REFUSED,
        404: MISSING_OR_UNKNOWN,
      },
      errors: [403, 406, 409, 415, 422],
    },
    {
      method: 'delete',
      path,
      operationId: `deleteEntities${suffix}`,
      tag,
      summary: `Deletes several instances${name} together`,
      description: sentences('All are deleted, or none.', deleting),
      parameters: [...subject.parameters, IDEMPOTENCY_KEY],
      request: {
        ...json('Ids; objects with the member `id` are accepted, too', listOf(subject.id)),
        ...(subject.entityId.example === undefined ? {} : { example: [subject.entityId.example] }),
        required: true,
      },
      responses: { 204: empty('Deleted', REPLAYED), 404: MISSING_OR_UNKNOWN },
      errors: [400, 403, 406, 409, 422],
    },
  ];
}

/** Reads and changes one instance. */
function instanceRoutes(path: string, subject: EntitySubject): readonly RouteDescription[] {
  const { schema, examples = {}, suffix } = subject;
  const inOne = [...subject.parameters, subject.entityId];
  const tag = subject.tags.entities;
  const { name, reading, updating, deleting } = subject.texts ?? ANY_TEXTS;
  return [
    {
      method: 'get',
      path,
      operationId: `getEntity${suffix}`,
      tag,
      summary: `Reads one instance${name}`,
      description: sentences(
        'The fetch plan chooses the attributes; without one, they are those of `_base`. The `ETag` is for `If-None-Match`, and for `If-Match` of an update.',
        reading,
      ),
      parameters: [...inOne, FETCH_PLAN, RETURN_NULLS, DYNAMIC_ATTRIBUTES, IF_NONE_MATCH, PREFER],
      responses: {
        200: { ...json('The instance', schema, TAG), ...exampleOf(examples.instance) },
        304: empty('Not changed since', TAG),
        404: MISSING_OR_UNKNOWN,
      },
      errors: [400, 403, 406],
    },
    {
      method: 'put',
      path,
      operationId: `updateEntity${suffix}`,
      tag,
      summary: `Updates one instance${name}`,
      description: sentences(
        'Attributes that are not sent are kept. With `If-Match` the update is refused if the instance has changed since it was read.',
        updating,
      ),
      parameters: [...inOne, RESPONSE_FETCH_PLAN, PREFER_RETURN, IF_MATCH, IDEMPOTENCY_KEY],
      request: { ...json('Attributes to be changed', schema), ...exampleOf(examples.creation), required: true },
      responses: {
        200: { ...json('Updated', schema, { ...TAG, ...REPLAYED, ...APPLIED }), ...exampleOf(examples.instance) },
        204: { ...UNREAD, headers: { ...TAG, ...UNREAD.headers } },
        400: REFUSED,
        404: MISSING_OR_UNKNOWN,
      },
      errors: [403, 406, 409, 412, 422],
    },
    {
      method: 'patch',
      path,
      operationId: `patchEntity${suffix}`,
      tag,
      summary: `Patches one instance${name}`,
      description: sentences(
        'A merge patch changes what it names, and nothing else; null clears.',
        MERGING,
        'The operations of a JSON Patch address attributes by name and members of collections by id (`/lines/<id>/quantity`), and are executed in order, all or none; a failed `test` is 409.',
        'With `If-Match` the update is refused if the instance has changed since it was read.',
        updating,
      ),
      parameters: [...inOne, RESPONSE_FETCH_PLAN, PREFER_RETURN, IF_MATCH, IDEMPOTENCY_KEY],
      request: {
        description: 'A merge patch (RFC 7396), or a JSON Patch (RFC 6902)',
        content: { [MERGE_PATCH]: schema, [JSON_PATCH]: ref('JsonPatch') },
        ...exampleOf(examples.creation),
        examples: { [JSON_PATCH]: [{ op: 'test', path: '/version', value: 1 }] },
        required: true,
      },
      responses: {
        200: { ...json('Updated', schema, { ...TAG, ...REPLAYED, ...APPLIED }), ...exampleOf(examples.instance) },
        204: { ...UNREAD, headers: { ...TAG, ...UNREAD.headers } },
        400: REFUSED,
        404: MISSING_OR_UNKNOWN,
      },
      errors: [403, 406, 409, 412, 415, 422],
    },
    {
      method: 'delete',
      path,
      operationId: `deleteEntity${suffix}`,
      tag,
      summary: `Deletes one instance${name}`,
      description: sentences(
        'With `If-Match` the deletion is refused if the instance has changed since it was read.',
        deleting,
      ),
      parameters: [...inOne, IF_MATCH, IDEMPOTENCY_KEY],
      responses: { 204: empty('Deleted', REPLAYED), 404: MISSING_OR_UNKNOWN },
      errors: [400, 403, 406, 409, 412, 422],
    },
  ];
}

/** A search by body has all of its parameters there. */
const withModelVersion = (route: RouteDescription): RouteDescription =>
  route.method === 'post' && route.path.includes('/search')
    ? route
    : { ...route, parameters: [...(route.parameters ?? []), MODEL_VERSION] };

/** A body has its page itself, but for the cursor of the link to the next one. */
const pagingOf = (method: 'get' | 'post'): readonly ParameterDescription[] =>
  method === 'get' ? PAGING : [CURSOR, PREFER];

/** A filter may name dynamic attributes. */
const countingOf = (method: 'get' | 'post'): readonly ParameterDescription[] =>
  method === 'get' ? [DYNAMIC_ATTRIBUTES] : [];

const exampleOf = (example: unknown): { readonly example?: unknown } => (example === undefined ? {} : { example });

/** A search without what a count does not use. */
const filterOf = (search: unknown): unknown =>
  typeof search === 'object' && search !== null && 'filter' in search ? { filter: search.filter } : undefined;

function searchRoutes(path: string, subject: EntitySubject): readonly RouteDescription[] {
  const filter = { ...inQuery('filter', 'Filter as JSON', jsonText(ref('Filter'))), required: true };
  const { schema, examples = {}, suffix } = subject;
  const { name, reading } = subject.texts ?? ANY_TEXTS;
  const bodies = {
    '': { ...json('Filter, plan, order and page', ref('Search')), ...exampleOf(examples.search), required: true },
    '/count': { ...json('Filter', ref('CountRequest')), ...exampleOf(filterOf(examples.search)), required: true },
  };
  const found = json('Instances', listOf(schema), LIST_HEADERS);
  const count = json('Number of matching instances', COUNT);
  const routes = [
    ['get', '', 'searchEntitiesByUrl', `Searches instances${name}; the filter is in the URL`, found],
    ['post', '', 'searchEntities', `Searches instances${name}`, found],
    ['get', '/count', 'countEntitiesByUrl', `Counts instances${name}; the filter is in the URL`, count],
    ['post', '/count', 'countEntities', `Counts instances${name}`, count],
  ] as const;
  return routes.map(([method, end, operationId, summary, response]) => ({
    method,
    path: `${path}${end}`,
    operationId: `${operationId}${suffix}`,
    tag: subject.tags.search,
    summary,
    description: sentences(
      end === ''
        ? 'Returns a page of the instances that the filter matches and the caller may read.'
        : 'Returns the number of the instances that the filter matches and the caller may read.',
      'Conditions name attributes, also of referenced entities: `customer.name`.',
      reading,
    ),
    parameters: [
      ...subject.parameters,
      ...(method === 'get' ? [filter] : []),
      ...(end === '' ? pagingOf(method) : countingOf(method)),
    ],
    ...(method === 'post' ? { request: bodies[end] } : {}),
    responses: { 200: response },
    errors: [400, 403, 404, 406],
  }));
}
