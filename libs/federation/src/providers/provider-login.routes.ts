import { clientAddressOf, isSameSecret } from '@lintel/http';
import type { Request, Response, Router } from 'express';
import type { FederationPorts } from '../federation-ports.ts';
import type { LoginPages, LoginVisit } from '../login-pages.ts';
import type { FederatedLogins } from '../logins/federated-logins.ts';
import type { FederatedUsers } from '../users/federated-users.ts';
import type { LoginProvider, RequestSecrets } from './login-provider.ts';
import { ProviderFailure } from './provider-failure.ts';
import { createLoginCookie, type LoginCookie, type LoginCookieOptions } from './receive-login-cookie.ts';
import type { SingleUse } from './single-use.ts';

/** What the browser keeps while its user is at a provider. */
export interface ProviderRequest extends RequestSecrets {
  readonly provider: string;
  readonly interactionId: string;
  /** The encrypted interaction of the URL of the login page. */
  readonly pageState: string;
}

export interface ProviderLoginDeps
  extends Pick<FederationPorts, 'ids' | 'security' | 'history' | 'logger' | 'loginLifeMs'> {
  readonly pages: LoginPages;
  readonly loginProviders: ReadonlyMap<string, LoginProvider>;
  readonly users: FederatedUsers;
  readonly federatedLogins: FederatedLogins;
  readonly cookieOptions: Pick<LoginCookieOptions, 'cipher' | 'isSecure' | 'now'>;
  readonly singleUse: SingleUse;
}

interface RouteDeps extends ProviderLoginDeps {
  readonly cookie: LoginCookie<ProviderRequest>;
}

/** Routes of a login at a provider, which begins with a button of the login page. */
export function registerProviderLogin(router: Router, given: ProviderLoginDeps): void {
  const path = '/as-login/provider';
  const cookie = createLoginCookie<ProviderRequest>({ ...given.cookieOptions, path, sameSite: 'Lax' });
  const deps: RouteDeps = { ...given, cookie };
  router.get('/as-login/provider/:name', (request, response) =>
    deps.pages.serve(request, () => begin(request, response, deps)),
  );
  router.get('/as-login/provider/:name/callback', (request, response) => complete(request, response, deps));
}

async function begin(request: Request, response: Response, deps: RouteDeps): Promise<void> {
  const provider = providerOf(request, deps);
  const visit = await deps.pages.visitOfLink(request, response);
  if (provider === undefined || visit === undefined) return deps.pages.showExpired(request, response);
  const { state } = request.query;
  try {
    const { address, secrets } = await provider.begin();
    const pageState = typeof state === 'string' ? state : '';
    const kept = { ...secrets, provider: provider.name, interactionId: visit.id, pageState };
    if (!deps.cookie.set(response, kept)) throw new ProviderFailure('refused', 'the authorization request is too long');
    deps.pages.redirect(response, address);
  } catch (error) {
    await showFailure(request, { error, visit, provider }, deps);
  }
}

async function complete(request: Request, response: Response, deps: RouteDeps): Promise<void> {
  const kept = deps.cookie.read(request);
  deps.cookie.clear(response);
  const provider = providerOf(request, deps);
  const expired = () => deps.pages.showExpired(request, response);
  const { state } = request.query;
  // Each provider has a callback of its own, so that the response of one is never used for another (RFC 9700 §4.4).
  if (kept === undefined || provider === undefined || kept.provider !== provider.name) return expired();
  if (typeof state !== 'string' || !isSameSecret(state, kept.state) || !(await deps.singleUse.claim('state', state)))
    return expired();
  await deps.pages.serve({ query: { state: kept.pageState } }, async () => {
    const visit = await deps.pages.visitOf(request, response);
    if (visit?.id !== kept.interactionId) return expired();
    try {
      const login = await logIn(request, kept, { visit, provider }, deps);
      await visit.accept({ ...login, provider: provider.name });
    } catch (error) {
      await showFailure(request, { error, visit, provider }, deps);
    }
  });
}

interface Attempt {
  readonly visit: LoginVisit;
  readonly provider: LoginProvider;
}

/** Confirms the login at the provider and finds its user. */
async function logIn(
  request: Request,
  kept: ProviderRequest,
  { visit, provider }: Attempt,
  deps: RouteDeps,
): Promise<{ readonly username: string; readonly loginId: string }> {
  const { users, federatedLogins, history, ids, loginLifeMs } = deps;
  const { subject, sid, claims, refreshToken, endsAtMs } = await provider.complete(queryOf(request), kept);
  const { name, issuer, settings } = provider;
  const facts = { provider: name, clientId: visit.clientId, address: clientAddressOf(request) };
  const identity = { provider: name, issuer, subject };
  const verdict = await users.signIn({ ...identity, claims, rules: settings });
  const attempt = { ...facts, method: 'provider' } as const;
  if (verdict.kind === 'refused') {
    const outcome = verdict.reason === 'disabled' ? 'disabled' : 'refused';
    if (verdict.username !== undefined) history.note({ ...attempt, username: verdict.username, outcome });
    throw new ProviderFailure('refused', verdict.reason);
  }
  const { username } = verdict.account;
  const loginId = ids.next();
  const lifeMs = endsAtMs === undefined ? loginLifeMs : Math.min(loginLifeMs, endsAtMs - deps.cookieOptions.now());
  await federatedLogins.save({ id: loginId, ...identity, sid, username, refreshToken }, lifeMs);
  // Nothing confirms such a login later.
  if (refreshToken === undefined) await federatedLogins.requireCheck(loginId);
  history.note({ ...attempt, username, outcome: 'succeeded' });
  return { username, loginId };
}

async function showFailure(
  request: Request,
  { error, visit, provider }: Attempt & { readonly error: unknown },
  deps: RouteDeps,
): Promise<void> {
  if (!(error instanceof ProviderFailure)) throw error;
  const facts = { provider: provider.name, clientId: visit.clientId, address: clientAddressOf(request) };
  deps.security.record('federation.refused', { ...facts, reason: error.message });
  if (error.kind === 'unavailable') deps.logger.warn({ error, provider: provider.name }, 'a provider is unavailable');
  await visit.refuse(error.kind);
}

function providerOf(request: Request, { loginProviders }: ProviderLoginDeps): LoginProvider | undefined {
  const { name } = request.params;
  return typeof name === 'string' ? loginProviders.get(name) : undefined;
}

const queryOf = ({ url }: Request): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');
