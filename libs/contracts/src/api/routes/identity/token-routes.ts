import {
  empty,
  inQuery,
  json,
  objectOf,
  type RouteDescription,
  ref,
  routeOf,
  type Schema,
  STRING,
} from '../../route-description.ts';

const route = routeOf('Tokens');

const form = (properties: Readonly<Record<string, Schema>>, required: readonly string[], example: unknown) => ({
  description: 'Form fields',
  content: { 'application/x-www-form-urlencoded': objectOf(properties, required) },
  required: true,
  example,
});

/** Of every endpoint that clients post forms to. */
const REFUSALS = {
  400: json('Refused', ref('OAuthError')),
  401: json('Unknown client, or a wrong secret', ref('OAuthError'), { 'WWW-Authenticate': 'Challenge of RFC 7617' }),
  405: json('Only POST is taken', ref('OAuthError'), { Allow: '`OPTIONS, POST`' }),
  413: json('The form is too large', ref('OAuthError')),
  429: json('Too many wrong passwords', ref('OAuthError'), { 'Retry-After': 'Seconds' }),
  '5XX': json('A failure of the server', { anyOf: [ref('OAuthError'), ref('Error')] }),
};

const GRANTS = [
  'password',
  'refresh_token',
  'client_credentials',
  'authorization_code',
  'urn:ietf:params:oauth:grant-type:device_code',
];

function tokenRoute(path: string, operationId: string, grants: readonly string[]): RouteDescription {
  const hasCode = grants.includes('authorization_code');
  const fields = {
    grant_type: { type: 'string', enum: grants },
    username: STRING,
    password: { type: 'string', format: 'password' },
    refresh_token: STRING,
    ...(hasCode ? { code: STRING, redirect_uri: STRING, code_verifier: STRING, device_code: STRING } : {}),
    scope: STRING,
  };
  return route('post', path, operationId, {
    summary: `Issues tokens (${grants.join(', ')})`,
    description:
      'The client identifies itself with its id and secret. The response has an access token and, for users, a refresh token. The fields that a grant needs are those of RFC 6749.',
    request: form(fields, ['grant_type'], { grant_type: 'password', username: 'clerk', password: 'clerk' }),
    responses: { 200: json('Tokens', ref('Token')), ...REFUSALS },
    security: 'client',
  });
}

const ONE_TOKEN = form({ token: STRING, token_type_hint: STRING }, ['token'], undefined);

const revokeRoute = (path: string, operationId: string): RouteDescription =>
  route('post', path, operationId, {
    summary: 'Revokes a token',
    description:
      'The access or refresh token is no longer accepted by any service (RFC 7009). A token that is not known is no error.',
    request: ONE_TOKEN,
    responses: { 200: empty('Revoked, or never known'), ...REFUSALS },
    security: 'client',
  });

const DISCOVERY = objectOf(
  { issuer: STRING, token_endpoint: STRING, authorization_endpoint: STRING, jwks_uri: STRING },
  ['issuer'],
);

const discoveryRoute = (name: string, operationId: string): RouteDescription =>
  route('get', `/.well-known/${name}`, operationId, {
    summary: 'What the authorization server offers',
    description:
      'Returns the endpoints, grants and algorithms of the authorization server (RFC 8414, OpenID Connect Discovery).',
    responses: { 200: json('Its metadata', DISCOVERY) },
    security: 'none',
  });

const DEVICE_AUTHORIZATION: RouteDescription = route('post', '/oauth2/device_authorization', 'authorizeDevice', {
  summary: 'Codes for a device without a browser',
  description:
    'Returns a code for the device and one that it shows to its user, who enters it at `verification_uri` (RFC 8628). The device then asks `/oauth2/token` for tokens, every five seconds.',
  request: form({ client_id: STRING, scope: STRING }, [], { client_id: 'lintel-cli' }),
  responses: {
    200: json(
      'The codes',
      objectOf(
        {
          device_code: STRING,
          user_code: STRING,
          verification_uri: STRING,
          verification_uri_complete: STRING,
          expires_in: { type: 'integer' },
        },
        ['device_code', 'user_code', 'verification_uri', 'expires_in'],
      ),
    ),
    ...REFUSALS,
  },
  security: 'client',
});

const LOGOUT_PAGE: RouteDescription = route('get', '/oauth2/logout', 'logOutOfAll', {
  summary: 'Where a client sends a browser to log its user out',
  description:
    'Shows a page on which the user confirms the logout, which ends the login of the browser and all tokens that came of it (OpenID Connect RP-Initiated Logout).',
  parameters: [
    inQuery('id_token_hint', 'An ID token of the client'),
    inQuery('client_id', 'Id of the client, without a hint'),
    inQuery('post_logout_redirect_uri', 'Where the browser is sent afterwards; one that the client has registered'),
    inQuery('state', 'Comes back with the redirect'),
  ],
  responses: {
    200: { description: 'The page', content: { 'text/html': STRING } },
    400: json('An address that is not registered, or a wrong hint', ref('OAuthError')),
  },
  security: 'none',
});

const LOGOUT_FORM: RouteDescription = route('post', '/oauth2/logout', 'logOutOfAllByForm', {
  summary: 'The same with a form',
  description: 'Redirects to the page of the logout.',
  request: form({ id_token_hint: STRING, client_id: STRING, post_logout_redirect_uri: STRING, state: STRING }, [], {}),
  responses: { 303: empty('To the page', { Location: 'The page' }), ...REFUSALS },
  security: 'none',
});

const LOGGED_OUT_PAGE: RouteDescription = route('get', '/oauth2/logout/success', 'showLoggedOut', {
  summary: 'The last page of a logout',
  description: 'Shows that the user is logged out. A logout without an address to return to ends here.',
  responses: { 200: { description: 'The page', content: { 'text/html': STRING } } },
  security: 'none',
});

const CLAIMS = objectOf(
  Object.fromEntries(
    ['sub', 'preferred_username', 'name', 'given_name', 'family_name', 'locale', 'email'].map((name) => [name, STRING]),
  ),
  ['sub'],
);

const USER_INFO: RouteDescription = route('get', '/oauth2/userinfo', 'readUserClaims', {
  summary: 'Claims about the user of a token',
  description:
    'Returns the claims of the scopes `openid`, `profile` and `email` of the access token (OpenID Connect Core). The token needs the scope `openid`.',
  responses: {
    200: json('The claims', CLAIMS),
    401: json('No token, or one that has ended', ref('OAuthError'), { 'WWW-Authenticate': 'Challenge of RFC 6750' }),
    403: json('The token does not have the scope `openid`', ref('OAuthError')),
  },
});

const CHANGE_PASSWORD: RouteDescription = route('post', '/oauth2/password', 'changeOwnPassword', {
  summary: 'Changes the password of the user of a token',
  description:
    'Checks the current password as a login does, and the rules for the new one. The other logins of the user end, unless `endOtherSessions` is false.',
  request: {
    description: 'The current and the new password',
    content: {
      'application/json': objectOf(
        {
          currentPassword: { type: 'string', format: 'password' },
          newPassword: { type: 'string', format: 'password' },
          endOtherSessions: { type: 'boolean', default: true },
        },
        ['currentPassword', 'newPassword'],
      ),
    },
    required: true,
    example: { currentPassword: 'clerk', newPassword: 'x' },
  },
  responses: {
    204: empty('The password has changed'),
    400: json('A password is refused', ref('PasswordRefusal')),
    401: json('No token, or one that has ended', ref('OAuthError'), { 'WWW-Authenticate': 'Challenge of RFC 6750' }),
    403: json('The token is of a client', ref('OAuthError')),
    413: json('The body is too large', ref('OAuthError')),
    415: json('The body is compressed', ref('OAuthError')),
    429: json('Too many wrong passwords', ref('OAuthError'), { 'Retry-After': 'Seconds' }),
    '5XX': json('A failure of the server', { anyOf: [ref('OAuthError'), ref('Error')] }),
  },
});

const DEVICE_PAGE: RouteDescription = route('get', '/oauth2/device', 'showDevicePage', {
  summary: 'Where a user enters the code of a device',
  description: 'Shows a form for the code, then the login page. The user compares and confirms the code.',
  parameters: [inQuery('user_code', 'The code, with which the form is filled in')],
  responses: { 200: { description: 'The page', content: { 'text/html': STRING } } },
  security: 'none',
});

const RESOURCE_METADATA: RouteDescription = route('get', '/.well-known/oauth-protected-resource', 'describeResource', {
  summary: 'Which server issues tokens for the API',
  description: 'Returns the metadata of the API as a protected resource (RFC 9728).',
  responses: {
    200: json(
      'Its metadata',
      objectOf(
        {
          resource: STRING,
          authorization_servers: { type: 'array', items: STRING },
          scopes_supported: { type: 'array', items: STRING },
          bearer_methods_supported: { type: 'array', items: STRING },
        },
        ['resource', 'authorization_servers'],
      ),
    ),
  },
  security: 'none',
});

/** The token endpoints, at the application's root (contract/tokens.md#endpoints, contract/decisions.md#24). */
export const TOKEN_ROUTES: readonly RouteDescription[] = [
  tokenRoute('/oauth/token', 'issueToken', GRANTS.slice(0, 2)),
  tokenRoute('/oauth2/token', 'issueTokenByAnyGrant', GRANTS),
  revokeRoute('/oauth/revoke', 'revokeToken'),
  revokeRoute('/oauth2/revoke', 'revokeTokenByAnyGrant'),
  DEVICE_AUTHORIZATION,
  DEVICE_PAGE,
  LOGOUT_PAGE,
  LOGOUT_FORM,
  LOGGED_OUT_PAGE,
  USER_INFO,
  CHANGE_PASSWORD,
  route('post', '/oauth2/introspect', 'introspectToken', {
    summary: 'Whether a token is active',
    description:
      'Returns the state and the claims of a token of the client (RFC 7662). Unknown, foreign, revoked and expired tokens are `{"active": false}`.',
    request: ONE_TOKEN,
    responses: {
      200: json('State of the token', { ...objectOf({ active: { type: 'boolean' } }), additionalProperties: true }),
      ...REFUSALS,
    },
    security: 'client',
  }),
  route('get', '/oauth2/authorize', 'authorize', {
    summary: 'Where a browser begins the authorization-code flow',
    description:
      'Shows the login page, then redirects to the client with a code. Use PKCE; `/oauth2/token` exchanges the code for tokens.',
    parameters: [
      { ...inQuery('client_id', 'Id of the client'), required: true },
      { ...inQuery('response_type', '`code`'), required: true },
      inQuery('redirect_uri', 'Where the browser is sent with the code; one that the client has registered'),
      inQuery('scope', 'Scopes, with blanks'),
      inQuery('state', 'Comes back with the code'),
      inQuery('nonce', 'Comes back in the ID token'),
      inQuery('resource', 'The API (RFC 8707); its identifier is that of `/.well-known/oauth-protected-resource`'),
      inQuery('code_challenge', 'Challenge of RFC 7636'),
      inQuery('code_challenge_method', '`S256`'),
    ],
    responses: {
      303: empty('To the login page, or back to the client', { Location: 'The next address' }),
      400: {
        description: 'Refused, on a page',
        content: { 'text/html': STRING, 'application/json': ref('OAuthError') },
      },
    },
    security: 'none',
  }),
  route('get', '/oauth2/jwks', 'readSigningKeys', {
    summary: 'The keys that tokens in the form of JWTs are verified with',
    description:
      'Returns a JSON Web Key Set (RFC 7517). Keys rotate: read the set again if a token names a key that it does not contain.',
    responses: { 200: json('The keys', objectOf({ keys: { type: 'array', items: { type: 'object' } } })) },
    security: 'none',
  }),
  discoveryRoute('oauth-authorization-server', 'readAuthorizationServer'),
  discoveryRoute('openid-configuration', 'readOpenIdConfiguration'),
  RESOURCE_METADATA,
];
