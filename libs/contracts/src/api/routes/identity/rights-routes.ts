import {
  empty,
  inQuery,
  json,
  type ParameterDescription,
  type RouteDescription,
  ref,
  routeOf,
} from '../../route-description.ts';
import { NAME } from '../parameters.ts';

const route = routeOf('Rights');
const VIEW = 'Needs the specific policy `rights.view`.';
const PREVIEW =
  'Needs the specific policy `rights.preview`, and all rights that the user has. It is recorded as a security event.';
const SEE_AS = 'Needs the specific policy `sessions.see-as`';
const USERNAME = { ...inQuery('username', 'Name of the user', NAME), required: true, example: 'clerk' };

const required = (name: string, description: string, example: string): ParameterDescription => ({
  ...inQuery(name, description, NAME),
  required: true,
  example,
});

const ACTIONS = ['create', 'read', 'update', 'delete'];

/** Roles, and what other users may do and see (contract/rights.md#rights). */
export const rightsRoutes = (path: string, entityName = 'sales_Order'): readonly RouteDescription[] => [
  ...roleRoutes(path, entityName),
  ...visibilityRoutes(path, entityName),
  ...viewRoutes(path),
];

/** Roles, and the rights that they give or that an operation needs. */
const roleRoutes = (path: string, entityName: string): readonly RouteDescription[] => [
  route('get', `${path}/roles`, 'listRoles', {
    summary: 'All roles with their policies',
    description: `${VIEW} Roles of the application and of the database, in the same form.`,
    responses: { 200: json('The roles', ref('Roles')) },
  }),
  route('get', `${path}/difference`, 'compareRoles', {
    summary: 'The difference of two resource roles',
    description: `${VIEW} What the holders of the two roles may do differently, with child roles and wildcards expanded.`,
    parameters: [
      required('first', 'Code of a resource role', 'rest-minimal'),
      required('second', 'Code of another one', 'system-full-access'),
    ],
    responses: { 200: json('The targets with different values', ref('RoleDifference')) },
    errors: [404],
  }),
  route('get', `${path}/permissions`, 'getPermissionsOfUser', {
    summary: 'The permissions of a user',
    description: `${VIEW} As \`/permissions\` returns them to the user, for a login with a password.`,
    parameters: [USERNAME],
    responses: { 200: json('The permissions', ref('Permissions')) },
    errors: [404],
  }),
  route('get', `${path}/needed`, 'getNeededRight', {
    summary: 'What the caller lacks for an operation',
    description:
      'Whether the caller has a right on an entity, or a specific one; the own row-level roles about the entity; and for callers with `rights.view` the roles that give the right.',
    parameters: [
      { ...inQuery('entityName', 'The entity; with `action`', NAME), example: entityName },
      {
        ...inQuery('action', 'The operation on the entity', { type: 'string', enum: ACTIONS }),
        example: 'read',
      },
      inQuery('specific', 'The name of a specific policy, instead of both', NAME),
    ],
    responses: { 200: json('The right', ref('NeededRight')) },
    errors: [404],
  }),
];

/** Which instances policies show to a user, and why not the others. */
const visibilityRoutes = (path: string, entityName: string): readonly RouteDescription[] => [
  route('post', `${path}/conditions`, 'checkRowPolicy', {
    summary: 'Checks a row-level policy',
    description: `${VIEW} The same check as when the policy is saved, with the position of a mistake. Nothing is stored.`,
    request: {
      ...json('The policy', ref('RowPolicy')),
      required: true,
      example: { type: 'query', entityName, action: 'read', whereClause: '{E}.id is not null' },
    },
    responses: { 200: json('The mistakes', ref('RowPolicyCheck')) },
  }),
  route('post', `${path}/preview`, 'previewRows', {
    summary: 'The instances that a user sees',
    description: `${PREVIEW} \`role\` with \`policies\` is a row-level role that the user has for this request; it replaces the stored one of that code.`,
    request: {
      ...json('The user and the entity', ref('RowPreviewRequest')),
      required: true,
      example: { username: 'clerk', entityName },
    },
    responses: { 200: json('Their number, and the first of them', ref('RowPreview')) },
    errors: [404],
  }),
  route('get', `${path}/explanation`, 'explainAccess', {
    summary: 'Why a user cannot see an instance',
    description: `${PREVIEW} An instance that the caller cannot see either is 404.`,
    parameters: [
      USERNAME,
      required('entityName', 'Name of the entity', entityName),
      required('id', 'Id of the instance', '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11'),
    ],
    responses: { 200: json('The reasons', ref('AccessExplanation')) },
    errors: [404],
  }),
];

/** Sessions that see what a user sees. */
const viewRoutes = (path: string): readonly RouteDescription[] => [
  route('post', `${path}/see-as`, 'seeAs', {
    summary: 'A session that sees what a user sees',
    description: `${SEE_AS}, a login, and all rights that the user has. The token is for reading alone, and ends after 15 minutes, with the session of the caller, and with another call. It is recorded as a security event.`,
    request: { ...json('The user', ref('SeeAsRequest')), required: true, example: { username: 'clerk' } },
    responses: { 201: json('The token', ref('SeeAsToken')) },
    errors: [404],
  }),
  route('delete', `${path}/see-as`, 'endSeeAs', {
    summary: 'Ends the session that sees what a user sees',
    description: `${SEE_AS}. Nothing happens if there is none.`,
    responses: { 204: empty('It has ended') },
  }),
];
