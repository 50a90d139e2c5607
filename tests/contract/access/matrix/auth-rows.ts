import { all, type MatrixRow, row, type Statuses } from './row.ts';

/** The pages of forgotten passwords need a mail server, which the system of one process does not have. */
const withMails = (status: number): Statuses => all(process.env['LINTEL_MAIL_PORT'] === undefined ? 404 : status);

/** What auth returns depends on the client in the request, never on the token of a user. */
export const AUTH_ROWS: readonly MatrixRow[] = [
  ...[
    ...['/oauth/token', '/oauth2/token', '/oauth/revoke', '/oauth2/revoke'],
    ...['/oauth2/introspect', '/oauth2/device_authorization'],
  ].flatMap((path) => [
    row('auth/token.routes.ts post path', 'POST', path, all(401)),
    row('auth/token.routes.ts all path', 'GET', path, all(405)),
  ]),
  row('login/login.routes.ts get /oauth2/authorize', 'GET', '/oauth2/authorize', all(400)),
  row('login/login.routes.ts get /oauth2/authorize/:uid', 'GET', '/oauth2/authorize/none', all(400)),
  row('login/login.routes.ts get LOGIN_PATH', 'GET', '/as-login', all(400)),
  row('login/login.routes.ts post LOGIN_PATH', 'POST', '/as-login', all(400)),
  row('login/login.routes.ts get PASSKEY_SCRIPT_PATH', 'GET', '/as-login/passkeys.js', all(200)),
  row('login/security.routes.ts get SECURITY_PATH', 'GET', '/as-login/security', all(401)),
  row('login/security.routes.ts post SECURITY_PATH', 'POST', '/as-login/security', all(401)),
  row('login/logout.routes.ts get END_SESSION_PATH', 'GET', '/oauth2/logout', all(200)),
  row('login/logout.routes.ts get {END_SESSION_PATH}/success', 'GET', '/oauth2/logout/success', all(200)),
  row('login/logout.routes.ts post END_SESSION_PATH', 'POST', '/oauth2/logout', all(303)),
  row('login/logout.routes.ts post {END_SESSION_PATH}/confirm', 'POST', '/oauth2/logout/confirm', all(400)),
  row('auth/userinfo.routes.ts get USERINFO_PATH', 'GET', '/oauth2/userinfo', [401, 403, 403, 403, 403]),
  row('auth/userinfo.routes.ts post USERINFO_PATH', 'POST', '/oauth2/userinfo', [401, 403, 403, 403, 403]),
  row('login/reset.routes.ts get FORGOT_PATH', 'GET', '/as-login/password/forgot', withMails(200)),
  row('login/reset.routes.ts post FORGOT_PATH', 'POST', '/as-login/password/forgot', withMails(400)),
  row('login/reset.routes.ts get RESET_PATH', 'GET', '/as-login/password/reset', withMails(400)),
  row('login/reset.routes.ts post RESET_PATH', 'POST', '/as-login/password/reset', withMails(400)),
  row('login/sign-up.routes.ts get SIGN_UP_PATH', 'GET', '/as-login/sign-up', all(404)),
  row('login/sign-up.routes.ts post SIGN_UP_PATH', 'POST', '/as-login/sign-up', all(404)),
  row('login/sign-up.routes.ts get SIGN_UP_CONFIRM_PATH', 'GET', '/as-login/sign-up/confirm', all(404)),
  row('login/sign-up.routes.ts post SIGN_UP_CONFIRM_PATH', 'POST', '/as-login/sign-up/confirm', all(404)),
  row('login/change-api.routes.ts post PASSWORD_API_PATH', 'POST', '/oauth2/password', [401, 400, 400, 400, 400]),
  row('login/change.routes.ts get PASSWORD_PATH', 'GET', '/as-login/password', all(200)),
  row('login/change.routes.ts post PASSWORD_PATH', 'POST', '/as-login/password', all(400)),
  row('login/device.routes.ts get DEVICE_PATH', 'GET', '/oauth2/device', all(200)),
  row('login/device.routes.ts get {DEVICE_PATH}/:uid', 'GET', '/oauth2/device/none', all(400)),
  row('login/device.routes.ts post DEVICE_PATH', 'POST', '/oauth2/device', all(400)),
  row('federation/provider-login.routes.ts get /as-login/provider/:name', 'GET', '/as-login/provider/acme', all(400)),
  row(
    'federation/provider-login.routes.ts get /as-login/provider/:name/callback',
    'GET',
    '/as-login/provider/acme/callback',
    all(400),
  ),
  row(
    'federation/openid-logout.routes.ts post /as-login/provider/:name/logout',
    'POST',
    '/as-login/provider/acme/logout',
    all(400),
  ),
  row('federation/saml.routes.ts post /as-login/provider/:name/acs', 'POST', '/as-login/provider/acme/acs', all(400)),
  row(
    'federation/saml.routes.ts get /as-login/provider/:name/metadata',
    'GET',
    '/as-login/provider/acme/metadata',
    all(400),
  ),
  row(
    'federation/saml.routes.ts get /as-login/provider/:name/single-logout',
    'GET',
    '/as-login/provider/acme/single-logout',
    all(400),
  ),
  row(
    'federation/saml.routes.ts post /as-login/provider/:name/single-logout',
    'POST',
    '/as-login/provider/acme/single-logout',
    all(400),
  ),
  // Without svc.scim.token there is nothing.
  ...['Users', 'Groups'].flatMap((kind) => [
    row('scim/scim.routes.ts get /scim/v2/{path}', 'GET', `/scim/v2/${kind}`, all(404)),
    row('scim/scim.routes.ts post /scim/v2/{path}', 'POST', `/scim/v2/${kind}`, all(404), { body: () => ({}) }),
    row('scim/scim.routes.ts all /scim/v2/{path}', 'DELETE', `/scim/v2/${kind}`, all(404)),
    row('scim/scim.routes.ts all /scim/v2/{path}/:id', 'POST', `/scim/v2/${kind}/1`, all(404), { body: () => ({}) }),
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) =>
      row(`scim/scim.routes.ts ${method.toLowerCase()} /scim/v2/{path}/:id`, method, `/scim/v2/${kind}/1`, all(404)),
    ),
  ]),
  row('scim/scim.routes.ts all /scim/v2/*rest', 'GET', '/scim/v2/Devices', all(404)),
  row('scim/scim.routes.ts all /scim/v2/{path}', 'GET', '/scim/v2/Bulk', all(404)),
  row('scim/scim.routes.ts get /scim/v2/ServiceProviderConfig', 'GET', '/scim/v2/ServiceProviderConfig', all(404)),
  ...['ResourceTypes', 'Schemas'].flatMap((kind) => [
    row(`scim/scim.routes.ts get /scim/v2/${kind}`, 'GET', `/scim/v2/${kind}`, all(404)),
    row(`scim/scim.routes.ts get /scim/v2/${kind}/:id`, 'GET', `/scim/v2/${kind}/User`, all(404)),
  ]),
  row('auth/logout.routes.ts all /logout', 'GET', '/logout', [401, 200, 200, 200, 200], { endsSession: true }),
  row('auth/keys.feature.ts get /oauth2/jwks', 'GET', '/oauth2/jwks', all(200)),
  row(
    'auth/resource-metadata.routes.ts get /.well-known/oauth-protected-resource',
    'GET',
    '/.well-known/oauth-protected-resource',
    all(200),
  ),
  row('(discovery)', 'GET', '/.well-known/openid-configuration', all(200)),
  row('(discovery)', 'GET', '/.well-known/oauth-authorization-server', all(200)),
  // Without svc.auth.registration.enabled there is nothing.
  row('auth/registration.routes.ts post REGISTRATION_PATH', 'POST', '/oauth2/register', all(404)),
  row('auth/registration.routes.ts all path', 'PATCH', '/oauth2/register', all(404)),
  ...['GET', 'PUT', 'DELETE'].map((method) =>
    row(`auth/registration.routes.ts ${method.toLowerCase()} one`, method, '/oauth2/register/none', all(404)),
  ),
];
