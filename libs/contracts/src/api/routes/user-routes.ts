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
    responses: { 200: json('The caller', ref('UserInfo')) },
    errors: [403, 406],
  },
  {
    method: 'get',
    path: paths.permissions,
    operationId: 'getPermissions',
    tag: TAG,
    summary: 'What the caller may do; denied targets have the value 0',
    responses: { 200: json('All permissions', ref('Permissions')) },
    errors: [403, 406],
  },
  {
    method: 'put',
    path: `${paths.userSession}/locale`,
    operationId: 'changeSessionLocale',
    tag: TAG,
    summary: 'Remembers the language of the session',
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
    responses: { 200: text('The version') },
  },
];
