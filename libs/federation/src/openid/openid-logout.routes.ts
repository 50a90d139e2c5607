import { sendJson } from '@lintel/http';
import type { SecurityLog } from '@lintel/telemetry';
import type { Request, Response, Router } from 'express';
import type { LoginPages } from '../login-pages.ts';
import type { LoginChecks } from '../logins/check-logins.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import type { SingleUse } from '../providers/single-use.ts';
import type { OpenIdProvider } from './openid-provider.ts';

export interface OpenIdLogoutDeps {
  readonly openIdProviders: ReadonlyMap<string, OpenIdProvider>;
  readonly pages: Pick<LoginPages, 'receiveForm'>;
  readonly checks: LoginChecks;
  readonly singleUse: SingleUse;
  readonly security: SecurityLog;
}

const MAX_FORM_BYTES = 32 * 1024;

/** The route at which OpenID providers report logouts. */
export function registerOpenIdLogout(router: Router, deps: OpenIdLogoutDeps): void {
  router.post('/as-login/provider/:name/logout', (request, response) => endByProvider(request, response, deps));
}

/** OpenID Connect Back-Channel Logout 1.0: ends what began with the login at once. */
async function endByProvider(request: Request, response: Response, deps: OpenIdLogoutDeps): Promise<void> {
  const { name } = request.params;
  const provider = typeof name === 'string' ? deps.openIdProviders.get(name) : undefined;
  const body = await deps.pages.receiveForm(request, MAX_FORM_BYTES);
  const refuse = (status: number, text: string) =>
    sendJson(response, status, {
      error: status === 400 ? 'invalid_request' : 'temporarily_unavailable',
      error_description: text,
    });
  if (provider === undefined) return refuse(400, 'The provider is unknown');
  try {
    const { subject, sid, id } = await provider.verifyLogout(body.get('logout_token') ?? '');
    const isFirst = await deps.singleUse.runOnce(`logout ${provider.name}`, id, () =>
      deps.checks.end({ provider: provider.name, subject, sid }, 'logout at the provider', provider.name),
    );
    if (!isFirst) return refuse(400, 'The logout token was used before');
    response.setHeader('Content-Length', 0);
    response.status(200).end();
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    if (error.kind === 'unavailable') return refuse(503, 'The keys of the provider cannot be loaded now');
    deps.security.record('federation.refused', { provider: provider.name, reason: `logout: ${error.message}` });
    refuse(400, 'The logout token is not valid');
  }
}
