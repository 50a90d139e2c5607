import { type LoginRefusal, loginTexts, RETRY_AFTER_FAILURES } from '@lintel/login';
import { type EndpointFamily, OAuthFailure } from './oauth-failure.ts';

/**
 * All errors of the token endpoints, with the texts of each family as in contract/tokens.md#oauth-errors, #refresh and
 * #oauth2-errors.
 */

const RFC_6749_ERRORS = 'https://datatracker.ietf.org/doc/html/rfc6749#section-5.2';
const RFC_7009_REQUEST = 'https://datatracker.ietf.org/doc/html/rfc7009#section-2.1';
const RFC_7662_REQUEST = 'https://datatracker.ietf.org/doc/html/rfc7662#section-2.1';

const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="oauth2/client"' };

const bad = (error: string, description?: string, uri?: string): OAuthFailure =>
  new OAuthFailure({
    status: 400,
    error,
    ...(description === undefined ? {} : { description }),
    ...(uri === undefined ? {} : { uri }),
  });

const bearerChallenge = (error: string, description: string) => ({
  'WWW-Authenticate': `Bearer error="${error}", error_description="${description}"`,
});

/** No client authentication, an unknown client, a wrong secret. */
export const invalidClient = (description = 'Client authentication failed'): OAuthFailure =>
  new OAuthFailure({ status: 401, error: 'invalid_client', description, headers: CHALLENGE });

export const malformedBasicHeader = (family: EndpointFamily): OAuthFailure =>
  family === 'oauth' ? invalidClient() : bad('invalid_request', 'The Authorization header is not valid Basic');

export const clientMismatch = (): OAuthFailure => invalidClient('Given client ID does not match authenticated client');

export const methodNotSupported = (method: string, allow: string): OAuthFailure =>
  new OAuthFailure({
    status: 405,
    error: 'method_not_allowed',
    description: `Request method '${method}' not supported`,
    headers: { Allow: allow },
  });

export const notAForm = (): OAuthFailure =>
  bad('invalid_request', 'The body must be application/x-www-form-urlencoded in UTF-8');

export const secretInQuery = (name: string): OAuthFailure =>
  bad('invalid_request', `The parameter ${name} is accepted in the body only`);

export const missingGrantType = (family: EndpointFamily): OAuthFailure =>
  family === 'oauth' ? bad('invalid_request', 'Missing grant type') : wrongParameter('grant_type');

/** A parameter that is missing or repeated, with the text of `/oauth2`. */
export const wrongParameter = (name: string): OAuthFailure =>
  bad('invalid_request', `OAuth 2.0 Parameter: ${name}`, RFC_6749_ERRORS);

export const repeatedParameter = (family: EndpointFamily, name: string): OAuthFailure =>
  family === 'oauth' ? bad('invalid_request', `Parameter ${name} is given more than once`) : wrongParameter(name);

export function unsupportedGrantType(family: EndpointFamily, grantType: string): OAuthFailure {
  if (family === 'oauth2') return bad('unsupported_grant_type', 'OAuth 2.0 Parameter: grant_type', RFC_6749_ERRORS);
  return grantType === 'implicit'
    ? bad('invalid_grant', 'Implicit grant type not supported from token endpoint')
    : bad('unsupported_grant_type', 'Unsupported grant type');
}

export const grantTypeNotAllowed = (family: EndpointFamily): OAuthFailure =>
  family === 'oauth'
    ? new OAuthFailure({
        status: 401,
        error: 'invalid_client',
        description: 'Unauthorized grant type',
        headers: bearerChallenge('invalid_client', 'Unauthorized grant type'),
      })
    : bad('unauthorized_client');

export const invalidScope = (family: EndpointFamily, allowed: readonly string[]): OAuthFailure =>
  family === 'oauth'
    ? new OAuthFailure({
        status: 400,
        error: 'invalid_scope',
        description: 'Invalid scope',
        scope: allowed.join(' '),
      })
    : bad('invalid_scope');

/** Responses to a device that waits for its user (RFC 8628 §3.5). */
export const authorizationPending = (): OAuthFailure => bad('authorization_pending');
export const slowDown = (): OAuthFailure => bad('slow_down');
export const expiredDeviceCode = (): OAuthFailure => bad('expired_token');
export const deviceRefused = (): OAuthFailure => bad('access_denied');

/** A resource indicator (RFC 8707 §2) that is not the API. */
export const invalidTarget = (resource: string): OAuthFailure =>
  bad('invalid_target', `The only resource of this server is ${resource}`);

/** A code that cannot be used. Without the reason, which would help only a thief of the code. */
export const invalidGrant = (): OAuthFailure => bad('invalid_grant');

/** The only error that users read, in their language (contract/tokens.md#oauth-errors). */
export const loginRefused = (
  family: EndpointFamily,
  refusal: LoginRefusal,
  acceptLanguage: string | undefined,
): OAuthFailure => {
  const description = loginTexts(acceptLanguage).texts.login.descriptions[refusal];
  if (refusal === 'too-many') return tooManyFailures(description);
  return bad('invalid_grant', description, family === 'oauth2' ? RFC_6749_ERRORS : undefined);
};

/** The name and password are right, but the login needs a second factor, which only the pages can ask for. */
export const secondFactorRequired = (acceptLanguage: string | undefined): OAuthFailure =>
  bad('mfa_required', loginTexts(acceptLanguage).texts.login.secondFactorRequired);

/** The user must choose a new password, for which only the pages have a form. */
export const passwordChangeRequired = (acceptLanguage: string | undefined): OAuthFailure =>
  bad('invalid_grant', loginTexts(acceptLanguage).texts.login.passwordChangeRequired);

/** Too many wrong passwords or secrets from an address, or for a name or client. */
export const tooManyFailures = (description = 'Too many failed attempts'): OAuthFailure =>
  new OAuthFailure({
    status: 429,
    error: 'temporarily_unavailable',
    description,
    headers: { 'Retry-After': RETRY_AFTER_FAILURES },
  });

export const missingRefreshToken = (family: EndpointFamily): OAuthFailure =>
  family === 'oauth' ? bad('invalid_request', 'refresh_token parameter not provided') : wrongParameter('refresh_token');

export const unknownRefreshToken = (family: EndpointFamily): OAuthFailure =>
  family === 'oauth' ? bad('invalid_grant', 'Invalid refresh token') : bad('invalid_grant');

export const foreignRefreshToken = (family: EndpointFamily): OAuthFailure =>
  family === 'oauth' ? bad('invalid_grant', 'Wrong client for this refresh token') : bad('invalid_grant');

export function expiredRefreshToken(family: EndpointFamily): OAuthFailure {
  if (family === 'oauth2') return bad('invalid_grant');
  const description = 'Invalid refresh token (expired)';
  return new OAuthFailure({
    status: 401,
    error: 'invalid_token',
    description,
    headers: bearerChallenge('invalid_token', description),
  });
}

export const widerScope = (family: EndpointFamily): OAuthFailure =>
  family === 'oauth'
    ? bad('invalid_scope', 'Unable to narrow the scope of the client authentication')
    : bad('invalid_scope');

export const missingToken = (family: EndpointFamily): OAuthFailure =>
  family === 'oauth'
    ? bad('invalid_request', 'token parameter not provided')
    : bad('invalid_request', 'OAuth 2.0 Token Revocation Parameter: token', RFC_7009_REQUEST);

export const missingIntrospectedToken = (): OAuthFailure =>
  bad('invalid_request', 'OAuth 2.0 Token Introspection Parameter: token', RFC_7662_REQUEST);

/**
 * `/oauth2/revoke` with the token of another client (contract/tokens.md#oauth2-revoke); the reference fails with a 500
 * at `/oauth/revoke`.
 */
export const tokenOfOtherClient = (family: EndpointFamily): OAuthFailure =>
  family === 'oauth' ? bad('invalid_client', 'Cannot revoke tokens issued to other clients') : bad('invalid_client');
