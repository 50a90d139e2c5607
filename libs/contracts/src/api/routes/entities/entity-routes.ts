import { empty, inHeader, inQuery, json, listOf, type RouteDescription, ref } from '../../route-description.ts';
import { DYNAMIC_ATTRIBUTES, FETCH_PLAN, IF_NONE_MATCH, MODEL_VERSION, RETURN_NULLS } from '../parameters.ts';
import { ANY_TEXTS, type EntitySubject, exampleOf, sentences } from './entity-subject.ts';
import { APPLIED, LIST_HEADERS, PAGING, PREFER } from './paging.ts';
import { searchRoutes } from './search-routes.ts';

const MERGING =
  'Children of a composition are merged by what each of them names; children that the array does not contain are removed, new ones are created. Objects in JSON attributes are merged member by member.';

const RESPONSE_FETCH_PLAN = inQuery(
  'responseFetchPlan',
  'Fetch plan of the response; without it the response has only what identifies the instance',
);
const PREFER_RETURN = inHeader(
  'Prefer',
  '`return=minimal` for a response without a body, `return=representation` for the instance as a read returns it; `handling=strict` refuses unknown members',
);
const IF_MATCH = inHeader('If-Match', 'Tag of the version that is to be changed');
const IDEMPOTENCY_KEY = inHeader(
  'Idempotency-Key',
  'Chosen by the client for this one request, e.g. a UUID: a repeat within 24 hours gets the first response and changes nothing',
);
const REPLAYED = {
  'Idempotency-Replayed': '`true` if the response is that to an earlier request with the same key',
};
const TAG = { ETag: 'Tag of this response' };
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
