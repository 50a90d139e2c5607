import { empty, json, listOf, type RouteDescription, ref, routeOf } from '../../route-description.ts';
import { ANY_TEXTS, deletedOf, type EntitySubject, exampleOf, purgeOf, sentences } from './entity-subject.ts';
import { APPLIED, PAGING, SEARCH_HEADERS } from './paging.ts';
import {
  AFFECTED_FILTER,
  FILTERED,
  IDEMPOTENCY_KEY,
  JSON_PATCH,
  KEY,
  MERGE_PATCH,
  MERGING,
  NUMBER,
  PREFER_AFFECTED,
  PREFER_RESOLUTION,
  REFUSED,
  REPLAYED,
  RESPONSE_FETCH_PLAN,
  TAG,
  UNREAD,
  UPSERTING,
} from './write-parts.ts';

/** Lists instances, and changes several of them together. */
export function collectionRoutes(path: string, subject: EntitySubject): readonly RouteDescription[] {
  const { schema, examples = {}, suffix } = subject;
  const { name, reading, creating, updating, deleting } = subject.texts ?? ANY_TEXTS;
  const route = routeOf(subject.tags.entities);
  const listed = examples.instance === undefined ? {} : { example: [examples.instance] };
  const written = [...subject.parameters, RESPONSE_FETCH_PLAN];
  const headers = { ...REPLAYED, ...APPLIED };
  return [
    route('get', path, `listEntities${suffix}`, {
      summary: `Lists instances${name}`,
      description: sentences(
        'Returns a page of the instances that the caller may read, without those that were deleted.',
        'The fetch plan chooses the attributes; without one, they are the attributes of `_base`.',
        reading,
      ),
      parameters: [...subject.parameters, ...PAGING, ...deletedOf(subject)],
      responses: { 200: { ...json('Instances', listOf(schema), SEARCH_HEADERS), ...listed, isExported: true } },
      errors: [404, 406],
    }),
    route('post', path, `createEntities${suffix}`, {
      summary: `Creates an instance${name}`,
      description: sentences(
        'The body may also be an array of instances, which are created together or not at all; then the response is an array, too.',
        'The response has the attributes of `responseFetchPlan`.',
        'With `Prefer: resolution` it is an upsert: an instance with the same `id`, or the same `key`, is updated or left as it is.',
        UPSERTING,
        creating,
      ),
      parameters: [...written, KEY, PREFER_RESOLUTION, IDEMPOTENCY_KEY],
      request: {
        ...json('The instance', subject.created),
        ...exampleOf(examples.creation),
        required: true,
        isOneOrMany: true,
      },
      responses: {
        201: {
          ...json('Created', schema, { Location: 'URL of the new instance', ...TAG, ...headers }),
          ...exampleOf(examples.instance),
          isOneOrMany: true,
        },
        200: { ...json('Upserted: an instance existed', schema, { ...TAG, ...headers }), isOneOrMany: true },
        // Not with the 204 of an upsert: the results of generated clients would become optional.
        400: REFUSED,
      },
      errors: [404, 406, 409, 412, 422],
    }),
    route('put', path, `updateEntities${suffix}`, {
      summary: `Updates several instances${name} together`,
      description: sentences(
        'Every instance of the array names its `id`. All are updated, or none. Attributes that are not sent are kept.',
        'With `key` it is an upsert, also of one instance instead of an array: instances that do not exist are created.',
        UPSERTING,
        updating,
      ),
      parameters: [...written, { ...KEY, example: 'id' }, PREFER_RESOLUTION, IDEMPOTENCY_KEY],
      request: {
        ...json('Instances with their ids, or for an upsert with its key', listOf(schema)),
        ...listed,
        required: true,
      },
      responses: {
        200: { ...json('Updated', listOf(schema), headers), isOneOrMany: true },
        201: { ...json('Created by an upsert', listOf(schema), headers), isOneOrMany: true },
        204: UNREAD,
        400: REFUSED,
      },
      errors: [404, 406, 409, 412, 422],
    }),
    route('patch', path, `patchEntities${suffix}`, {
      summary: `Patches several instances${name} together`,
      description: sentences(
        'Every merge patch of the array names its `id` and what is to be merged into the instance. All are updated, or none.',
        MERGING,
        'The paths of a JSON Patch begin with the id of an instance (`/<id>/lines/<id>/quantity`).',
        FILTERED,
        updating,
      ),
      parameters: [...written, AFFECTED_FILTER, PREFER_AFFECTED, IDEMPOTENCY_KEY],
      request: {
        description:
          'Merge patches (RFC 7396) with their ids, or one JSON Patch (RFC 6902); with `filter` one merge patch without an id',
        content: { [MERGE_PATCH]: listOf(subject.identified), [JSON_PATCH]: ref('JsonPatch') },
        ...listed,
        examples: { [JSON_PATCH]: [] },
        required: true,
      },
      responses: { 200: json('Updated', listOf(schema), { ...headers, ...NUMBER }), 204: UNREAD, 400: REFUSED },
      errors: [404, 406, 409, 422],
    }),
    route('delete', path, `deleteEntities${suffix}`, {
      summary: `Deletes several instances${name} together`,
      description: sentences('All are deleted, or none.', FILTERED, deleting),
      parameters: [...subject.parameters, ...purgeOf(subject), AFFECTED_FILTER, PREFER_AFFECTED, IDEMPOTENCY_KEY],
      request: {
        ...json('Ids; objects with the member `id` are accepted, too', listOf(subject.id)),
        ...(examples.id === undefined ? {} : { example: [examples.id] }),
      },
      responses: { 204: empty('Deleted', { ...REPLAYED, ...NUMBER }), 400: REFUSED },
      errors: [404, 406, 409, 422],
    }),
  ];
}
