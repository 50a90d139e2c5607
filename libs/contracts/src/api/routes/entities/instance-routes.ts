import { empty, json, type RouteDescription, ref, routeOf } from '../../route-description.ts';
import { DYNAMIC_ATTRIBUTES, FETCH_PLAN, IF_NONE_MATCH, RETURN_NULLS } from '../parameters.ts';
import { ANY_TEXTS, deletedOf, type EntitySubject, exampleOf, purgeOf, sentences } from './entity-subject.ts';
import { APPLIED, PREFER } from './paging.ts';
import {
  IDEMPOTENCY_KEY,
  IF_MATCH,
  JSON_PATCH,
  MERGE_PATCH,
  MERGING,
  MISSING,
  MISSING_OR_UNKNOWN,
  PREFER_RETURN,
  REFUSED,
  REPLAYED,
  RESPONSE_FETCH_PLAN,
  TAG,
  UNREAD,
} from './write-parts.ts';

const UNCHANGED_SINCE = 'With `If-Match` the update is refused if the instance has changed since it was read.';

/** Reads and changes one instance. */
export function instanceRoutes(path: string, subject: EntitySubject): readonly RouteDescription[] {
  const { schema, examples = {}, suffix } = subject;
  const { name, reading, updating, deleting } = subject.texts ?? ANY_TEXTS;
  const route = routeOf(subject.tags.entities);
  const one = [...subject.parameters, subject.entityId];
  const written = [...one, RESPONSE_FETCH_PLAN, PREFER_RETURN, IF_MATCH, IDEMPOTENCY_KEY];
  const responsesOf = (done: string): RouteDescription['responses'] => ({
    200: { ...json(done, schema, { ...TAG, ...REPLAYED, ...APPLIED }), ...exampleOf(examples.instance) },
    204: { ...UNREAD, headers: { ...TAG, ...UNREAD.headers } },
    400: REFUSED,
  });
  const restoreRoute = route('post', `${path}/restore`, `restoreEntity${suffix}`, {
    summary: `Restores a soft-deleted instance${name}`,
    description: sentences(
      'An update that takes the instance back, with the children that were deleted with it. It needs the specific policy `bin.restore`.',
      updating,
    ),
    parameters: written,
    responses: responsesOf('Restored'),
    errors: [406, 409, 412, 422],
  });
  return [
    route('get', path, `getEntity${suffix}`, {
      summary: `Reads one instance${name}`,
      description: sentences(
        'The fetch plan chooses the attributes; without one, they are the attributes of `_base`. The `ETag` is for `If-None-Match`, and for `If-Match` of an update.',
        reading,
      ),
      parameters: [
        ...[...one, FETCH_PLAN, RETURN_NULLS, DYNAMIC_ATTRIBUTES],
        ...[...deletedOf(subject), IF_NONE_MATCH, PREFER],
      ],
      responses: {
        200: { ...json('The instance', schema, TAG), ...exampleOf(examples.instance) },
        304: empty('Not changed since', TAG),
        404: subject.texts === undefined ? MISSING_OR_UNKNOWN : MISSING,
      },
      errors: [406],
    }),
    route('put', path, `updateEntity${suffix}`, {
      summary: `Updates one instance${name}`,
      description: sentences('Attributes that are not sent are kept.', UNCHANGED_SINCE, updating),
      parameters: written,
      request: { ...json('Attributes to be changed', schema), ...exampleOf(examples.creation), required: true },
      responses: responsesOf('Updated'),
      errors: [406, 409, 412, 422],
    }),
    route('patch', path, `patchEntity${suffix}`, {
      summary: `Patches one instance${name}`,
      description: sentences(
        'A merge patch changes what it names, and nothing else; null clears.',
        MERGING,
        'The operations of a JSON Patch address attributes by name and members of collections by id (`/lines/<id>/quantity`), and are executed in order, all or none; a failed `test` is 409.',
        UNCHANGED_SINCE,
        updating,
      ),
      parameters: written,
      request: {
        description: 'A merge patch (RFC 7396), or a JSON Patch (RFC 6902)',
        content: { [MERGE_PATCH]: schema, [JSON_PATCH]: ref('JsonPatch') },
        ...exampleOf(examples.creation),
        examples: { [JSON_PATCH]: [{ op: 'test', path: '/version', value: 1 }] },
        required: true,
      },
      responses: responsesOf('Updated'),
      errors: [406, 409, 412, 422],
    }),
    route('delete', path, `deleteEntity${suffix}`, {
      summary: `Deletes one instance${name}`,
      description: sentences(
        'With `If-Match` the deletion is refused if the instance has changed since it was read.',
        deleting,
      ),
      parameters: [...one, ...purgeOf(subject), IF_MATCH, IDEMPOTENCY_KEY],
      responses: { 204: empty('Deleted', REPLAYED), 400: REFUSED },
      errors: [406, 409, 412, 422],
    }),
    ...(subject.hasBin ? [restoreRoute] : []),
  ];
}
