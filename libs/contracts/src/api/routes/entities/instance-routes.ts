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

/** Reads and changes one instance. */
export const instanceRoutes = (path: string, subject: EntitySubject): readonly RouteDescription[] =>
  [readRoute, updateRoute, patchRoute, deleteRoute, ...(subject.hasBin ? [restoreRoute] : [])].map((route) =>
    route(path, subject),
  );

function readRoute(path: string, subject: EntitySubject): RouteDescription {
  const { schema, examples = {}, suffix } = subject;
  const { name, reading } = subject.texts ?? ANY_TEXTS;
  return routeOf(subject.tags.entities)('get', path, `getEntity${suffix}`, {
    summary: `Reads one instance${name}`,
    description: sentences(
      'The fetch plan chooses the attributes; without one, they are those of `_base`. The `ETag` is for `If-None-Match`, and for `If-Match` of an update.',
      reading,
    ),
    parameters: [
      ...subject.parameters,
      subject.entityId,
      FETCH_PLAN,
      RETURN_NULLS,
      DYNAMIC_ATTRIBUTES,
      ...deletedOf(subject),
      IF_NONE_MATCH,
      PREFER,
    ],
    responses: {
      200: { ...json('The instance', schema, TAG), ...exampleOf(examples.instance) },
      304: empty('Not changed since', TAG),
      404: subject.texts === undefined ? MISSING_OR_UNKNOWN : MISSING,
    },
    errors: [400, 403, 406],
  });
}

function updateRoute(path: string, subject: EntitySubject): RouteDescription {
  const { schema, examples = {}, suffix } = subject;
  const { name, updating } = subject.texts ?? ANY_TEXTS;
  return routeOf(subject.tags.entities)('put', path, `updateEntity${suffix}`, {
    summary: `Updates one instance${name}`,
    description: sentences(
      'Attributes that are not sent are kept. With `If-Match` the update is refused if the instance has changed since it was read.',
      updating,
    ),
    parameters: [
      ...subject.parameters,
      subject.entityId,
      RESPONSE_FETCH_PLAN,
      PREFER_RETURN,
      IF_MATCH,
      IDEMPOTENCY_KEY,
    ],
    request: { ...json('Attributes to be changed', schema), ...exampleOf(examples.creation), required: true },
    responses: {
      200: { ...json('Updated', schema, { ...TAG, ...REPLAYED, ...APPLIED }), ...exampleOf(examples.instance) },
      204: { ...UNREAD, headers: { ...TAG, ...UNREAD.headers } },
      400: REFUSED,
    },
    errors: [403, 404, 406, 409, 412, 422],
  });
}

function patchRoute(path: string, subject: EntitySubject): RouteDescription {
  const { schema, examples = {}, suffix } = subject;
  const { name, updating } = subject.texts ?? ANY_TEXTS;
  return routeOf(subject.tags.entities)('patch', path, `patchEntity${suffix}`, {
    summary: `Patches one instance${name}`,
    description: sentences(
      'A merge patch changes what it names, and nothing else; null clears.',
      MERGING,
      'The operations of a JSON Patch address attributes by name and members of collections by id (`/lines/<id>/quantity`), and are executed in order, all or none; a failed `test` is 409.',
      'With `If-Match` the update is refused if the instance has changed since it was read.',
      updating,
    ),
    parameters: [
      ...subject.parameters,
      subject.entityId,
      RESPONSE_FETCH_PLAN,
      PREFER_RETURN,
      IF_MATCH,
      IDEMPOTENCY_KEY,
    ],
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
    },
    errors: [403, 404, 406, 409, 412, 415, 422],
  });
}

function deleteRoute(path: string, subject: EntitySubject): RouteDescription {
  const { suffix } = subject;
  const { name, deleting } = subject.texts ?? ANY_TEXTS;
  return routeOf(subject.tags.entities)('delete', path, `deleteEntity${suffix}`, {
    summary: `Deletes one instance${name}`,
    description: sentences(
      'With `If-Match` the deletion is refused if the instance has changed since it was read.',
      deleting,
    ),
    parameters: [...subject.parameters, subject.entityId, ...purgeOf(subject), IF_MATCH, IDEMPOTENCY_KEY],
    responses: { 204: empty('Deleted', REPLAYED), 400: REFUSED },
    errors: [403, 404, 406, 409, 412, 422],
  });
}

function restoreRoute(path: string, subject: EntitySubject): RouteDescription {
  const { schema, examples = {}, suffix } = subject;
  const { name, updating } = subject.texts ?? ANY_TEXTS;
  return routeOf(subject.tags.entities)('post', `${path}/restore`, `restoreEntity${suffix}`, {
    summary: `Restores a soft-deleted instance${name}`,
    description: sentences(
      'An update that takes the instance back, with the children that were deleted with it. It needs the specific policy `bin.restore`.',
      updating,
    ),
    parameters: [
      ...subject.parameters,
      subject.entityId,
      RESPONSE_FETCH_PLAN,
      PREFER_RETURN,
      IF_MATCH,
      IDEMPOTENCY_KEY,
    ],
    responses: {
      200: { ...json('Restored', schema, { ...TAG, ...REPLAYED, ...APPLIED }), ...exampleOf(examples.instance) },
      204: { ...UNREAD, headers: { ...TAG, ...UNREAD.headers } },
      400: REFUSED,
    },
    errors: [403, 404, 406, 409, 412, 422],
  });
}
