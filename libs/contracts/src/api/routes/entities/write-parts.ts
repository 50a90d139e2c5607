import { empty, inHeader, inQuery, json, ref } from '../../route-description.ts';
import { APPLIED } from './paging.ts';

export const MERGING =
  'Children of a composition are merged by what each of them names; children that the array does not contain are removed, new ones are created. Objects in JSON attributes are merged member by member.';

export const RESPONSE_FETCH_PLAN = {
  ...inQuery(
    'responseFetchPlan',
    'Fetch plan of the response; without it the response has only what identifies the instance',
  ),
  example: '_base',
};
export const PREFER_RETURN = inHeader(
  'Prefer',
  '`return=minimal` for a response without a body, `return=representation` for the instance as a read returns it; `handling=strict` refuses unknown members; `tx=rollback` rolls everything back, and the response has what would have changed',
);
export const KEY = inQuery(
  'key',
  'Makes the request an upsert: instances are found by their `id`, or by the attributes of a unique constraint (`number,year`), updated, and created where there is none. POST needs `Prefer: resolution` as well',
);
export const PREFER_RESOLUTION = inHeader(
  'Prefer',
  `${PREFER_RETURN.description}; \`resolution=merge-duplicates\` updates the instances that exist already, \`resolution=ignore-duplicates\` leaves them as they are`,
);
export const AFFECTED_FILTER = inQuery(
  'filter',
  'Filter of the instances that are written, instead of an array; needs `Prefer: max-affected`',
);
export const PREFER_AFFECTED = inHeader(
  'Prefer',
  `With \`filter\` \`max-affected=500\`: if more instances match, nothing is written. ${PREFER_RETURN.description}`,
);
/** A sentence about writes with a filter in the descriptions of their routes. */
export const FILTERED =
  'With `filter` it is about all instances that match, and the body is one merge patch, or none for a deletion.';
export const NUMBER = { 'X-Total-Count': 'Number of instances that a `filter` found' };
/** Sentences about upserts in the descriptions of their routes. */
export const UPSERTING =
  'In the response to an upsert each instance has `_status`: `created`, `updated` or `unchanged`. References and children of compositions may be named by unique attributes instead of ids.';
export const IF_MATCH = {
  ...inHeader('If-Match', 'Tag of the version that is to be changed; `*` for any version'),
  example: '*',
};
export const IDEMPOTENCY_KEY = inHeader(
  'Idempotency-Key',
  'Chosen by the client for this one request, e.g. a UUID: a repeat within 24 hours gets the first response and changes nothing',
  { type: 'string', maxLength: 255, pattern: '^[!-~]+$' },
);
export const REPLAYED = {
  'Idempotency-Replayed': '`true` if the response is that to an earlier request with the same key',
};
export const TAG = { ETag: 'Tag of this response' };
export const REFUSED = json('Violated rules, or another mistake of the request', ref('Refusal'));
export const UNREAD = empty('Updated; the caller prefers no body', { ...REPLAYED, ...APPLIED });
export const MERGE_PATCH = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
/** Without a body, unless the client accepts problems (contract/decisions.md#1). */
export const MISSING = empty('There is no such instance, or the caller may not see it');
/** With a body for an unknown entity: OpenAPI cannot express both. */
export const MISSING_OR_UNKNOWN = { ...MISSING, content: { 'application/json': ref('Error') } };
