import { empty, inHeader, json, type RouteDescription, ref, text } from '../route-description.ts';
import { IF_NONE_MATCH } from './parameters.ts';

export interface UserPaths {
  readonly userInfo: string;
  readonly permissions: string;
  readonly userSession: string;
  readonly capabilities: string;
  readonly version: string;
}

const TAG = 'Current user';

/** Who the caller is and what the API can do (contract/user.md#user). */
export const userRoutes = (paths: UserPaths): readonly RouteDescription[] => [
  {
    method: 'get',
    path: paths.userInfo,
    operationId: 'getUserInfo',
    tag: TAG,
    summary: 'Name, locale and attributes of the caller',
    description: 'Returns the user of the token. Without a token, in anonymous paths, that is the anonymous user.',
    responses: { 200: json('The caller', ref('UserInfo')) },
    errors: [403, 406],
  },
  {
    method: 'get',
    path: paths.permissions,
    operationId: 'getPermissions',
    tag: TAG,
    summary: 'What the caller may do; denied targets have the value 0',
    description:
      'Returns the rights that all roles of the caller give together, so that a client can hide what would be refused.',
    responses: { 200: json('All permissions', ref('Permissions')) },
    errors: [403, 406],
  },
  {
    method: 'put',
    path: `${paths.userSession}/locale`,
    operationId: 'changeSessionLocale',
    tag: TAG,
    summary: 'Remembers the language of the session',
    description:
      'Later requests of the same session get captions and messages in this language, unless they have `Accept-Language` themselves.',
    parameters: [{ ...inHeader('Accept-Language', 'The language'), required: true, example: 'en' }],
    responses: { 200: empty('The language is remembered') },
    errors: [403, 422],
  },
  {
    method: 'get',
    path: paths.capabilities,
    operationId: 'getCapabilities',
    tag: 'About',
    summary: 'Optional abilities of the API',
    description: 'Clients of several versions look here before they use an ability that older servers do not have.',
    parameters: [IF_NONE_MATCH],
    responses: { 200: json('Abilities', ref('Capabilities'), { ETag: 'Tag' }), 304: empty('The client has them') },
    errors: [406],
  },
  {
    method: 'get',
    path: paths.version,
    operationId: 'getVersion',
    tag: 'About',
    summary: 'Version of the API',
    description:
      'Returns the version of the contract of the HTTP API as text. It is not the version of the application.',
    responses: { 200: text('The version') },
  },
];
