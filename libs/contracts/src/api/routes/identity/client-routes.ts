import { empty, inPath, json, listOf, type RouteDescription, ref, routeOf } from '../../route-description.ts';
import { INTEGERS } from '../integers.ts';

const route = routeOf('Clients');
const CLIENT_ID = { ...inPath('clientId', 'The id of the client'), example: 'shop' };
const NEEDS = 'Needs the specific policy `clients.manage`.';
const EXAMPLE = {
  clientId: 'shop',
  grantTypes: ['authorization_code', 'refresh_token'],
  redirectUris: ['https://shop.example/callback'],
};

/** The administration of OAuth clients (contract/clients.md#clients). */
export const clientRoutes = (path: string): readonly RouteDescription[] => [
  route('get', path, 'listClients', {
    summary: 'Clients of the configuration and of the database',
    description: `${NEEDS} Those of the configuration have only their id and name.`,
    parameters: [INTEGERS.clients, INTEGERS.clientsOffset],
    responses: { 200: json('The clients', listOf(ref('OAuthClient'))) },
  }),
  route('post', path, 'createClient', {
    summary: 'Creates a client',
    description: `${NEEDS} Roles that the caller does not have are refused. The response alone has the secret.`,
    request: { ...json('The client', ref('ClientToCreate')), required: true, example: EXAMPLE },
    responses: { 201: json('The client, with its secret', ref('CreatedClient')) },
    errors: [409],
  }),
  route('get', `${path}/{clientId}`, 'getClient', {
    summary: 'One client',
    description: `${NEEDS} Secrets are never returned.`,
    parameters: [CLIENT_ID],
    responses: { 200: json('The client', ref('OAuthClient')) },
  }),
  route('put', `${path}/{clientId}`, 'updateClient', {
    summary: 'Changes members of a client',
    description: `${NEEDS} Members that are absent stay, null restores the default. With \`enabled: false\` all tokens of the client end.`,
    parameters: [CLIENT_ID],
    request: { ...json('The members', ref('ClientChange')), required: true, example: { enabled: false } },
    responses: { 200: json('The client', ref('OAuthClient')) },
    errors: [412],
  }),
  route('delete', `${path}/{clientId}`, 'deleteClient', {
    summary: 'Removes a client',
    description: `${NEEDS} All tokens and consents of the client end.`,
    parameters: [CLIENT_ID],
    responses: { 204: empty('The client is removed') },
  }),
  route('post', `${path}/{clientId}/secrets`, 'createClientSecret', {
    summary: 'Creates a second secret',
    description: `${NEEDS} Both secrets are valid, so that the client can be given the new one. The response alone has it.`,
    parameters: [CLIENT_ID],
    request: { ...json('Its end', ref('ClientSecretToCreate')), example: { expiresAt: '2027-01-01T00:00:00Z' } },
    responses: { 201: json('The secret', ref('CreatedClientSecret')) },
  }),
  route('delete', `${path}/{clientId}/secrets/{secretId}`, 'deleteClientSecret', {
    summary: 'Ends a secret',
    description: `${NEEDS} Tokens that the client got with it stay.`,
    parameters: [
      CLIENT_ID,
      { ...inPath('secretId', 'The id of the secret'), example: '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11' },
    ],
    responses: { 204: empty('The secret has ended') },
  }),
];
