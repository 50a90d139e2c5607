import { empty, inPath, inQuery, json, listOf, type RouteDescription, ref, routeOf } from '../../route-description.ts';
import { NAME } from '../parameters.ts';

const route = routeOf('Current user');

/** Keys with which scripts of a user call the API (contract/user.md#api-keys). */
export const apiKeyRoutes = (path: string): readonly RouteDescription[] => [
  route('get', path, 'listApiKeys', {
    summary: 'API keys of the user',
    description: 'The newest first. Those of another user need the specific policy `api-keys.manage`.',
    parameters: [{ ...inQuery('username', 'Another user: needs `api-keys.manage`', NAME), example: 'clerk' }],
    responses: { 200: json('The keys, without their text', listOf(ref('ApiKey'))) },
  }),
  route('post', path, 'createApiKey', {
    summary: 'Creates an API key',
    description:
      'Needs the specific policy `api-keys.create`. The response alone has the key. Without `resourceRoles` it has the roles that the caller has now.',
    request: {
      ...json('The key', ref('ApiKeyToCreate')),
      required: true,
      example: { name: 'nightly import', resourceRoles: ['rest-minimal'] },
    },
    responses: { 201: json('The key', ref('CreatedApiKey')) },
  }),
  route('delete', `${path}/{keyId}`, 'endApiKey', {
    summary: 'Ends an API key',
    description: 'Requests with the key are refused from now on. Those of other users need `api-keys.manage`.',
    parameters: [{ ...inPath('keyId', 'The id of the key'), example: '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11' }],
    responses: { 204: empty('The key has ended') },
  }),
];
