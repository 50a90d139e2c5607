import {
  empty,
  inHeader,
  inPath,
  inQuery,
  json,
  type RouteDescription,
  ref,
  routeOf,
  text,
} from '../../route-description.ts';
import { listViewRoutes } from '../entities/list-view-routes.ts';
import { INTEGERS } from '../integers.ts';
import { IF_NONE_MATCH, NAME } from '../parameters.ts';
import { notificationRoutes } from './notification-routes.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';

export interface UserPaths {
  readonly userInfo: string;
  readonly permissions: string;
  readonly userSession: string;
  readonly tickets: string;
  readonly capabilities: string;
  readonly version: string;
}

const route = routeOf('Current user');
const USERNAME = { ...inQuery('username', 'Another user: needs `sessions.manage`', NAME), example: 'clerk' };

/** Who the caller is and what the API can do (contract/user.md#user). */
export const userRoutes = (paths: UserPaths): readonly RouteDescription[] => [
  ...callerRoutes(paths),
  ...loginRoutes(paths.userSession),
  ...listViewRoutes(`${paths.userSession}/views`),
  ...notificationRoutes(`${paths.userSession}/notifications`),
  ...secondFactorRoutes(`${paths.userSession}/second-factors`),
  ...accountRoutes(paths.userSession),
  route('delete', `${paths.userSession}/{sessionId}`, 'endUserSession', {
    summary: 'Ends one login',
    description:
      'Ends a login with all its tokens, also that of the request. Those of other users need the specific policy `sessions.manage`.',
    parameters: [{ ...inPath('sessionId', 'The id of the session'), example: '4F2C9E0B7A1D4C8E9B3F6A5D2E1C0B7A' }],
    responses: { 204: empty('The login has ended') },
  }),
  route('post', paths.tickets, 'createTicket', {
    summary: 'A ticket for one download or feed, instead of a token in its URL',
    description:
      'For requests that a browser sends without a header: links to files and documents of reports, and `EventSource`. The ticket stands for the token in one request with exactly this method and URL, for a minute.',
    request: {
      ...json('The request', ref('TicketRequest')),
      example: { url: '/rest/files?fileRef=fs%3A%2F%2F2026%2F11%2F25%2Fa.txt' },
      required: true,
    },
    responses: { 201: json('The ticket, and the URL with it', ref('Ticket')) },
    errors: [406],
  }),
  ...aboutRoutes(paths),
];

/** The caller, with rights and language. */
const callerRoutes = (paths: UserPaths): readonly RouteDescription[] => [
  route('get', paths.userInfo, 'getUserInfo', {
    summary: 'Name, locale and attributes of the caller',
    description: 'Returns the user of the token. Without a token, in anonymous paths, that is the anonymous user.',
    responses: { 200: json('The caller', ref('UserInfo')) },
    errors: [406],
  }),
  route('get', paths.permissions, 'getPermissions', {
    summary: 'What the caller may do; denied targets have the value 0',
    description:
      'Returns the rights that all roles of the caller give together, so that a client can hide what would be refused.',
    responses: { 200: json('All permissions', ref('Permissions')) },
    errors: [406],
  }),
  route('put', `${paths.userSession}/locale`, 'changeSessionLocale', {
    summary: 'Remembers the language of the session',
    description:
      'Later requests of the same session get captions and messages in this language, unless they have `Accept-Language` themselves.',
    parameters: [{ ...inHeader('Accept-Language', 'The language'), required: true, example: 'en' }],
    responses: { 200: empty('The language is remembered') },
    errors: [422],
  }),
];

/** The logins of a user. */
const loginRoutes = (path: string): readonly RouteDescription[] => [
  route('get', path, 'listUserSessions', {
    summary: 'Where the user is logged in',
    description:
      'Returns the logins that have not ended, the newest first. Those of another user need the specific policy `sessions.manage`.',
    parameters: [USERNAME],
    responses: { 200: json('The logins', { type: 'array', items: ref('UserSession') }) },
    errors: [406],
  }),
  route('delete', path, 'endUserSessions', {
    summary: 'Ends all other logins',
    description:
      'Ends the logins of the user with all their tokens, except the session of the request. With `clientId` only those of one client.',
    parameters: [USERNAME, { ...inQuery('clientId', 'Only the logins of this client', NAME), example: 'web' }],
    responses: { 200: json('How many have ended', ref('EndedSessions')) },
    errors: [406],
  }),
  route('get', `${path}/history`, 'getLoginHistory', {
    summary: 'Earlier attempts to log in',
    description:
      'Returns attempts to log in with the name of the user, the newest first, as long as `svc.authserver.login-history` keeps them.',
    parameters: [USERNAME, INTEGERS.logins, INTEGERS.loginsOffset],
    responses: { 200: json('The attempts', { type: 'array', items: ref('LoginAttempt') }) },
    errors: [406],
  }),
];

/** The password of a user, and what the user has allowed clients. */
const accountRoutes = (path: string): readonly RouteDescription[] => [
  route('post', `${path}/password-change`, 'requirePasswordChange', {
    summary: 'Requires a new password of a user',
    description:
      'The user chooses a new password at the next login with the current one, and all logins of the user end. Needs the specific policy `passwords.manage`.',
    parameters: [
      { ...inQuery('username', 'The user', NAME), required: true, example: 'retired' },
      {
        ...inQuery('mail', 'Sends the user a link by mail with which to choose it', {
          type: 'boolean',
          default: false,
        }),
        example: false,
      },
    ],
    responses: { 204: empty('The user must choose a new password') },
    errors: [404],
  }),
  route('get', `${path}/consents`, 'listConsents', {
    summary: 'What the user has allowed clients',
    description: 'Consents that are remembered. Those of another user need the specific policy `sessions.manage`.',
    parameters: [USERNAME],
    responses: { 200: json('The consents', { type: 'array', items: ref('Consent') }) },
  }),
  route('delete', `${path}/consents/{clientId}`, 'endConsent', {
    summary: 'Ends a consent',
    description: 'The client must ask again, and its tokens of the user end.',
    parameters: [USERNAME, { ...inPath('clientId', 'The id of the client'), example: 'web' }],
    responses: { 204: empty('The consent has ended') },
  }),
];

/** What the API can do. */
const aboutRoutes = (paths: UserPaths): readonly RouteDescription[] => [
  routeOf('About')('get', paths.capabilities, 'getCapabilities', {
    summary: 'Optional abilities of the API',
    description: 'Clients of several versions look here before they use an ability that older servers do not have.',
    parameters: [IF_NONE_MATCH],
    responses: { 200: json('Abilities', ref('Capabilities'), { ETag: 'Tag' }), 304: empty('The client has them') },
    errors: [406],
    isForEveryUser: true,
  }),
  routeOf('About')('get', paths.version, 'getVersion', {
    summary: 'Version of the API',
    description:
      'Returns the version of the contract of the HTTP API as text. It is not the version of the application.',
    responses: { 200: text('The version') },
    isForEveryUser: true,
  }),
];
