import { clientAddressOf, isSameSecret } from '@lintel/http';
import type { Logger, SecurityLog } from '@lintel/telemetry';
import type { Request, Response, Router } from 'express';
import type { LoginHistory } from '../../accounts/login-history.ts';
import { formOf, goOn, interactionOf, type LoginRoutesDeps } from '../../login/login.routes.ts';
import { expiredPage, loginPage, type ProviderRefusal } from '../../login/pages.ts';
import { pageContextOf, sendPage } from '../../login/send-page.ts';
import type { IdSource } from '../../ports.ts';
import type { Interaction } from '../../provider/interactions.ts';
import { FEDERATED } from '../../second-factor/requirement.ts';
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

export interface ProviderLoginDeps extends LoginRoutesDeps {
  readonly loginProviders: ReadonlyMap<string, LoginProvider>;
  readonly users: FederatedUsers;
  readonly federatedLogins: FederatedLogins;
  readonly cookieOptions: Pick<LoginCookieOptions, 'cipher' | 'isSecure' | 'now'>;
  readonly singleUse: SingleUse;
  readonly ids: IdSource;
  readonly security: SecurityLog;
  readonly history: Pick<LoginHistory, 'note'>;
  readonly logger: Logger;
  /** How long a login is kept: as long as our tokens may live. */
  readonly loginLifeMs: number;
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
    deps.interactions().serve(request, () => begin(request, response, deps)),
  );
  router.get('/as-login/provider/:name/callback', (request, response) => complete(request, response, deps));
}

async function begin(request: Request, response: Response, deps: RouteDeps): Promise<void> {
  const provider = providerOf(request, deps);
  const interaction = await interactionOf(request, response, deps);
  const { proof, state } = request.query;
  if (provider === undefined || interaction?.step !== 'login')
    return sendPage(response, expiredPage(pageContextOf(request)));
  if (typeof proof !== 'string' || !isSameSecret(proof, formOf(interaction, deps).proof))
    return sendPage(response, expiredPage(pageContextOf(request)));
  try {
    const { address, secrets } = await provider.begin();
    const pageState = typeof state === 'string' ? state : '';
    const kept = { ...secrets, provider: provider.name, interactionId: interaction.id, pageState };
    if (!deps.cookie.set(response, kept)) throw new ProviderFailure('refused', 'the authorization request is too long');
    goOn(response, address);
  } catch (error) {
    await showFailure(request, response, { error, interaction, provider }, deps);
  }
}

async function complete(request: Request, response: Response, deps: RouteDeps): Promise<void> {
  const kept = deps.cookie.read(request);
  deps.cookie.clear(response);
  const provider = providerOf(request, deps);
  const expired = () => sendPage(response, expiredPage(pageContextOf(request)));
  const { state } = request.query;
  // Each provider has a callback of its own, so that the response of one is never used for another (RFC 9700 §4.4).
  if (kept === undefined || provider === undefined || kept.provider !== provider.name) return expired();
  if (typeof state !== 'string' || !isSameSecret(state, kept.state) || !(await deps.singleUse.claim('state', state)))
    return expired();
  await deps.interactions().serve({ query: { state: kept.pageState } }, async () => {
    const interaction = await deps.interactions().find(request, response);
    if (interaction?.id !== kept.interactionId || interaction.step !== 'login') return expired();
    try {
      const login = await logIn(request, kept, { interaction, provider }, deps);
      const first = { ...login, provider: provider.name, methods: [FEDERATED] };
      await deps.secondFactor.begin({ request, response, interaction }, first);
    } catch (error) {
      await showFailure(request, response, { error, interaction, provider }, deps);
    }
  });
}

interface Attempt {
  readonly interaction: Interaction;
  readonly provider: LoginProvider;
}

/** Confirms the login at the provider and finds its user. */
async function logIn(
  request: Request,
  kept: ProviderRequest,
  { interaction, provider }: Attempt,
  deps: RouteDeps,
): Promise<{ readonly username: string; readonly loginId: string }> {
  const { users, federatedLogins, history, ids, loginLifeMs } = deps;
  const { subject, sid, claims, refreshToken, endsAtMs } = await provider.complete(queryOf(request), kept);
  const { name, issuer, settings } = provider;
  const facts = { provider: name, clientId: interaction.clientId, address: clientAddressOf(request) };
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
  response: Response,
  { error, interaction, provider }: Attempt & { readonly error: unknown },
  deps: RouteDeps,
): Promise<void> {
  if (!(error instanceof ProviderFailure)) throw error;
  const refusal: ProviderRefusal = error.kind === 'refused' ? 'provider-refused' : 'provider-unavailable';
  const facts = { provider: provider.name, clientId: interaction.clientId, address: clientAddressOf(request) };
  deps.security.record('federation.refused', { ...facts, reason: error.message });
  if (error.kind === 'unavailable') deps.logger.warn({ error, provider: provider.name }, 'a provider is unavailable');
  const form = await deps.secondFactor.withPasskeyLogin({ request, interaction, form: formOf(interaction, deps) });
  const page = loginPage(pageContextOf(request), form, { refusal, username: '' });
  sendPage(response, page, interaction.redirectUri);
}

function providerOf(request: Request, { loginProviders }: ProviderLoginDeps): LoginProvider | undefined {
  const { name } = request.params;
  return typeof name === 'string' ? loginProviders.get(name) : undefined;
}

const queryOf = ({ url }: Request): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');
