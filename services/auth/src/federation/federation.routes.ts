import type { Router } from 'express';
import { type OpenIdLogoutDeps, registerOpenIdLogout } from './openid/openid-logout.routes.ts';
import { type ProviderLoginDeps, registerProviderLogin } from './providers/provider-login.routes.ts';
import { registerSamlRoutes, type SamlRoutesDeps } from './saml/saml.routes.ts';

/** Routes of logins at identity providers, and of their logouts. */
export function registerFederationRoutes(
  router: Router,
  deps: ProviderLoginDeps & OpenIdLogoutDeps & SamlRoutesDeps,
): void {
  registerProviderLogin(router, deps);
  registerOpenIdLogout(router, deps);
  registerSamlRoutes(router, deps);
}
