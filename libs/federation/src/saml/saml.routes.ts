import { clientAddressOf } from '@lintel/http';
import type { SecurityLog } from '@lintel/telemetry';
import type { Request, Response, Router } from 'express';
import type { LoginPages } from '../login-pages.ts';
import type { LoginChecks } from '../logins/check-logins.ts';
import { providerPath } from '../providers/login-provider.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import type { SingleUse } from '../providers/single-use.ts';
import type { SamlProvider } from './saml-provider.ts';
import type { LogoutMessage, SamlLogout } from './verification/verify-logout.ts';

export interface SamlRoutesDeps {
  readonly samlProviders: ReadonlyMap<string, SamlProvider>;
  readonly pages: LoginPages;
  readonly checks: LoginChecks;
  readonly singleUse: SingleUse;
  readonly security: SecurityLog;
}

/** The largest message that `messageOf` accepts, encoded as a value of a form. */
const MAX_RESPONSE_BYTES = 128 * 1024;
const MAX_LOGOUT_BYTES = 32 * 1024;
const MAX_RELAY_STATE = 1_024;

/** Routes of Lintel as a SAML service provider. A login begins and ends as one at an OpenID provider does. */
export function registerSamlRoutes(router: Router, deps: SamlRoutesDeps): void {
  router.post('/as-login/provider/:name/acs', (request, response) => receive(request, response, deps));
  router.get('/as-login/provider/:name/metadata', (request, response) => showMetadata(request, response, deps));
  router.get('/as-login/provider/:name/single-logout', (request, response) => {
    const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?') + 1) : '';
    const relayState = new URLSearchParams(query).get('RelayState') ?? '';
    return endByProvider(request, response, { message: { binding: 'redirect', query }, relayState }, deps);
  });
  router.post('/as-login/provider/:name/single-logout', async (request, response) => {
    const form = await deps.pages.receiveForm(request, MAX_LOGOUT_BYTES);
    const message = { binding: 'post', request: form.get('SAMLRequest') ?? '' } as const;
    return endByProvider(request, response, { message, relayState: form.get('RelayState') ?? '' }, deps);
  });
}

/** The form comes from another site, without cookies; the browser that began is recognized after the redirect. */
async function receive(request: Request, response: Response, deps: SamlRoutesDeps): Promise<void> {
  const form = await deps.pages.receiveForm(request, MAX_RESPONSE_BYTES);
  const provider = providerOf(request, deps);
  const state = form.get('RelayState') ?? '';
  try {
    if (provider === undefined || !(await provider.receive(form.get('SAMLResponse') ?? '', state)))
      return deps.pages.showExpired(request, response);
    deps.pages.redirect(response, `${providerPath(provider.name)}/callback?state=${encodeURIComponent(state)}`);
  } catch (error) {
    refuse(error, [request, response], [provider?.name ?? '', 'response'], deps);
  }
}

/** Shows the page *expired*, and records the reason. */
function refuse(
  error: unknown,
  [request, response]: readonly [Request, Response],
  [provider, message]: readonly [provider: string, message: 'response' | 'logout'],
  { pages, security }: SamlRoutesDeps,
): void {
  if (!(error instanceof ProviderFailure)) throw error;
  const reason = `${message === 'logout' ? 'logout: ' : ''}${error.message}`;
  security.record('federation.refused', { provider, address: clientAddressOf(request), reason });
  pages.showExpired(request, response, error.kind === 'unavailable' ? 503 : 400);
}

function showMetadata(request: Request, response: Response, deps: SamlRoutesDeps): void {
  const provider = providerOf(request, deps);
  if (provider === undefined) {
    deps.pages.showExpired(request, response);
    return;
  }
  response.setHeader('Content-Type', 'application/samlmetadata+xml');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.status(200).end(provider.metadata());
}

interface ReceivedLogout {
  readonly message: LogoutMessage;
  readonly relayState: string;
}

/** Single logout that the provider begins, with a request of its own or by way of the browser. */
async function endByProvider(
  request: Request,
  response: Response,
  { message, relayState }: ReceivedLogout,
  deps: SamlRoutesDeps,
): Promise<void> {
  const provider = providerOf(request, deps);
  if (provider === undefined || relayState.length > MAX_RELAY_STATE) return deps.pages.showExpired(request, response);
  try {
    const logout = await provider.verifyLogout(message);
    await end(provider.name, logout, deps);
    const address = await provider.logoutResponseUrl(logout, relayState);
    // Not a redirect, which a provider that sends the request itself would follow.
    if (address !== undefined) response.setHeader('Refresh', `0; url=${address}`);
    deps.pages.showLoggedOut(request, response);
  } catch (error) {
    refuse(error, [request, response], [provider.name, 'logout'], deps);
  }
}

async function end(provider: string, { id, nameId, sids }: SamlLogout, deps: SamlRoutesDeps): Promise<void> {
  const isFirst = await deps.singleUse.runOnce(`logout ${provider}`, id, async () => {
    for (const sid of sids.length === 0 ? [undefined] : sids)
      await deps.checks.end({ provider, subject: nameId, sid }, 'logout at the provider', provider);
  });
  if (!isFirst) throw new ProviderFailure('refused', 'used before');
}

function providerOf(request: Request, { samlProviders }: SamlRoutesDeps): SamlProvider | undefined {
  const { name } = request.params;
  return typeof name === 'string' ? samlProviders.get(name) : undefined;
}
