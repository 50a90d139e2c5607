/**
 * How the model tries the routes of auth that take other methods than GET. A route that is not here is one that the model
 * does not know, and fails the test.
 *
 * - `provider`: a request of the identity provider, in every sequence
 * - `held`: with what the caller holds at the end of a sequence
 * - `own`: needs a password, form proof, link, token or signature of the user, client or provider whom alone it changes;
 *   tried with those of the caller and the name of another user
 * - `none`: refuses methods, or writes neither identities nor rights
 */
export type Trial = 'provider' | 'held' | 'own' | 'none';

const of = (trial: Trial, ...routes: readonly string[]): Record<string, Trial> =>
  Object.fromEntries(routes.map((route) => [route, trial]));

export const AUTH_ROUTES: Readonly<Record<string, Trial>> = {
  ...of('provider', 'POST /scim/v2/Users', 'PUT /scim/v2/Users/:id', 'PATCH /scim/v2/Users/:id'),
  ...of('provider', 'DELETE /scim/v2/Users/:id', 'POST /scim/v2/Groups', 'PUT /scim/v2/Groups/:id'),
  ...of('provider', 'PATCH /scim/v2/Groups/:id', 'DELETE /scim/v2/Groups/:id'),
  ...of('held', 'POST /oauth2/token', 'POST /as-login', 'POST /oauth2/register'),
  ...of('held', 'POST /as-login/password/forgot', 'POST /as-login/password/reset'),
  ...of('own', 'POST /oauth/token', 'POST /oauth2/device', 'POST /oauth2/password', 'POST /as-login/password'),
  ...of('own', 'POST /as-login/security', 'POST /as-login/sign-up', 'POST /as-login/sign-up/confirm'),
  ...of('own', 'POST /as-login/provider/:name/acs', 'POST /as-login/provider/:name/logout'),
  ...of('own', 'POST /as-login/provider/:name/single-logout', 'POST /oauth2/logout', 'POST /oauth2/logout/confirm'),
  ...of('own', 'POST /oauth/revoke', 'POST /oauth2/revoke'),
  ...of('own', 'PUT /oauth2/register/:clientId', 'DELETE /oauth2/register/:clientId'),
  ...of(
    'none',
    'POST /oauth2/device_authorization',
    'POST /oauth2/introspect',
    'POST /oauth2/userinfo',
    '_ALL /logout',
  ),
  ...of('none', '_ALL /oauth/revoke', '_ALL /oauth/token', '_ALL /oauth2/device_authorization', '_ALL /oauth2/revoke'),
  ...of('none', '_ALL /oauth2/introspect', '_ALL /oauth2/register', '_ALL /oauth2/register/:clientId'),
  ...of('none', '_ALL /oauth2/token', '_ALL /scim/v2/*rest', '_ALL /scim/v2/.search', '_ALL /scim/v2/Bulk'),
  ...of('none', '_ALL /scim/v2/Groups', '_ALL /scim/v2/Groups/:id', '_ALL /scim/v2/Me', '_ALL /scim/v2/Schemas'),
  ...of('none', '_ALL /scim/v2/ResourceTypes', '_ALL /scim/v2/ResourceTypes/:id', '_ALL /scim/v2/Schemas/:id'),
  ...of('none', '_ALL /scim/v2/ServiceProviderConfig', '_ALL /scim/v2/Users', '_ALL /scim/v2/Users/:id'),
};
