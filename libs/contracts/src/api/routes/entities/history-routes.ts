import { inPath, inQuery, json, listOf, type RouteDescription, ref, routeOf } from '../../route-description.ts';
import { INTEGERS } from '../integers.ts';
import { DYNAMIC_ATTRIBUTES, FETCH_PLAN, KEY_TEXT, NAME } from '../parameters.ts';
import { entityNameParameter } from './entity-subject.ts';
import { acceptedRun } from './service-routes.ts';
import { IDEMPOTENCY_KEY, IF_MATCH, MISSING, MISSING_OR_UNKNOWN, REPLAYED, TAG } from './write-parts.ts';

const route = routeOf('History');
const moment = (name: string, description: string) => ({
  ...inQuery(name, description),
  example: '2026-11-26T08:00:00Z',
});
const RIGHTS =
  'It needs the specific policy `history.read`, or `history.read.` with the name of the entity. Former states are shown under the rights of today: row-level policies judge the state, and hidden attributes are left out. Personal values need `personal.read`, or `personal.read.` with the name of the entity; changes without it are `masked`.';

/** Recorded changes of instances (contract/history.md); `path` is `/rest/history`. */
export function historyRoutes(path: string, exampleEntity?: string): readonly RouteDescription[] {
  const instance = `${path}/{entityName}/{entityId}`;
  const subject = [entityNameParameter(exampleEntity), inPath('entityId', 'Id, as in the entity API')];
  const page = [
    INTEGERS.history,
    inQuery('cursor', 'Of the `Link` header with `rel="next"`', KEY_TEXT),
    inQuery('user', 'Only changes of this user', NAME),
    moment('from', 'Only changes at this point in time or later'),
    moment('to', 'Only changes before this point in time'),
  ];
  return [
    route('get', path, 'listAllHistory', {
      summary: 'Changes of all instances, the newest first',
      description: `One change for each transaction and instance, of the entities whose history the caller may read. ${RIGHTS}`,
      parameters: [
        inQuery('entity', 'Only changes of this entity', NAME),
        inQuery('reason', 'Only changes with this text in their reason'),
        ...page,
      ],
      responses: { 200: json('The changes', listOf(ref('EntityChange')), { Link: 'The next page' }) },
      errors: [404, 406],
    }),
    route('get', instance, 'listHistory', {
      summary: 'Changes of an instance and of its composition children, the newest first',
      description: `One change for each transaction. ${RIGHTS}`,
      parameters: [...subject, inQuery('attribute', 'Only changes of this attribute', NAME), ...page],
      responses: {
        200: json('The changes', listOf(ref('HistoryChange')), { Link: 'The next page' }),
        404: MISSING_OR_UNKNOWN,
      },
      errors: [406],
    }),
    route('post', `${path}/changes/{change}/undo`, 'undoChange', {
      summary: 'Takes back everything that one transaction has written',
      description: `A write of the caller, in one transaction: what was created is deleted, what was deleted is created again, and what was updated gets its former values. It needs the history of every changed instance. ${RIGHTS}`,
      parameters: [
        { ...inPath('change', '`change` of a recorded change'), schema: { type: 'string', format: 'uuid' } },
        IDEMPOTENCY_KEY,
      ],
      responses: {
        200: json('The instances, and what has happened to them', listOf(ref('UndoneInstance')), REPLAYED),
        202: acceptedRun('a change of more than 10,000 rows'),
        404: MISSING,
      },
      errors: [406, 409],
    }),
    route('get', `${instance}/at`, 'getInstanceAt', {
      summary: 'The instance as it was at a point in time',
      description: `Referenced instances are shown as they are today. ${RIGHTS}`,
      parameters: [
        ...subject,
        { ...moment('time', 'The point in time'), required: true },
        FETCH_PLAN,
        DYNAMIC_ATTRIBUTES,
      ],
      responses: { 200: json('The instance', ref('Entity')), 404: MISSING_OR_UNKNOWN },
      errors: [406],
    }),
    route('get', `${instance}/diff`, 'compareInstance', {
      summary: 'What differs between two points in time',
      description: RIGHTS,
      parameters: [
        ...subject,
        { ...moment('from', 'The first point in time'), required: true },
        moment('to', 'The second one; today when absent'),
      ],
      responses: { 200: json('The differences', ref('InstanceChange')), 404: MISSING_OR_UNKNOWN },
      errors: [406],
    }),
    route('post', `${instance}/restore`, 'restoreInstance', {
      summary: 'Writes a former state of the instance again',
      description: `An update of the caller, with its children, rules and listeners. What the caller may not write is named in \`X-Ignored\`. ${RIGHTS}`,
      parameters: [...subject, IF_MATCH, IDEMPOTENCY_KEY],
      request: {
        ...json('The point in time', ref('Restore')),
        required: true,
        example: { time: '2026-11-26T08:00:00Z', attributes: ['name'] },
      },
      responses: { 200: json('The instance', ref('Entity'), { ...TAG, ...REPLAYED }), 404: MISSING_OR_UNKNOWN },
      errors: [406, 409, 412],
    }),
  ];
}

/** Who has read which instances (contract/access-log.md); `path` is `/rest/access-log`. */
export const accessLogRoute = (path: string): RouteDescription =>
  route('get', path, 'listAccess', {
    summary: 'Who has read which instances of marked entities, the latest first',
    description:
      'One entry for each response and entity, or for a part of its ids. It needs the specific policy `access-log.read`, or `access-log.read.` with the name of the entity. With row-level policies about an entity, only instances that the caller may see now are named.',
    parameters: [
      inQuery('entity', 'Only instances of this entity', NAME),
      inQuery('id', 'Only entries with this instance; needs `entity`', KEY_TEXT),
      INTEGERS.accessLog,
      inQuery('cursor', 'Of the `Link` header with `rel="next"`', KEY_TEXT),
      inQuery('user', 'Only what this user has read', NAME),
      moment('from', 'Only reads at this point in time or later'),
      moment('to', 'Only reads before this point in time'),
    ],
    responses: { 200: json('The entries', listOf(ref('AccessEntry')), { Link: 'The next page' }) },
    errors: [404, 406],
  });
