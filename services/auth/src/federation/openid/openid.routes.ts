import { createHash } from 'node:crypto';
import type { KeyValueStore } from '@lintel/cache';
import { clientAddressOf, sendJson } from '@lintel/http';
import type { Logger, SecurityLog } from '@lintel/telemetry';
import type { Request, Response, Router } from 'express';
import type { LoginHistory } from '../../accounts/login-history.ts';
import { formOf, goOn, interactionOf, isSame, type LoginRoutesDeps } from '../../login/login.routes.ts';
import { expiredPage, loginPage, type ProviderRefusal } from '../../login/pages.ts';
import { pageContextOf, sendPage } from '../../login/send-page.ts';
import type { IdSource } from '../../ports.ts';
import type { Interaction } from '../../provider/interactions.ts';
import { FEDERATED } from '../../second-factor/requirement.ts';
import type { LoginChecks } from '../logins/check-logins.ts';
import type { FederatedLogins } from '../logins/federated-logins.ts';
import type { FederatedUsers } from '../users/federated-users.ts';
import { MAX_LOGOUT_AGE_SECONDS, type OpenIdProvider, type RequestSecrets } from './openid-provider.ts';
import { ProviderFailure } from './provider-failure.ts';
import { createLoginCookie, type LoginCookie, type LoginCookieOptions } from './receive-login-cookie.ts';

/** What the browser keeps while its user is at a provider. */
export interface ProviderRequest extends RequestSecrets {
  readonly provider: string;
  readonly interactionId: string;
  /** The encrypted interaction of the URL of the login page. */
  readonly pageState: string;
}

export interface OpenIdRoutesDeps extends LoginRoutesDeps {
  readonly openIdProviders: ReadonlyMap<string, OpenIdProvider>;
  readonly users: FederatedUsers;
  readonly federatedLogins: FederatedLogins;
  readonly checks: LoginChecks;
  readonly cookieOptions: Pick<LoginCookieOptions, 'cipher' | 'isSecure' | 'now'>;
  readonly keyValues: Pick<KeyValueStore, 'increment' | 'delete'>;
  readonly ids: IdSource;
  readonly security: SecurityLog;
  readonly history: Pick<LoginHistory, 'note'>;
  readonly logger: Logger;
  /** How long a login is kept: as long as our tokens may live. */
  readonly loginLifeMs: number;
}

const STATE_TTL_MS = 15 * 60_000;
const MAX_FORM_BYTES = 32 * 1024;

interface RouteDeps extends OpenIdRoutesDeps {
  readonly cookie: LoginCookie<ProviderRequest>;
}

/** Routes of a login at an OpenID provider, and of the logout that it reports. */
export function registerOpenIdRoutes(router: Router, given: OpenIdRoutesDeps): void {
  const path = '/as-login/provider';
  const cookie = createLoginCookie<ProviderRequest>({ ...given.cookieOptions, path, sameSite: 'Lax' });
  const deps: RouteDeps = { ...given, cookie };
  router.get('/as-login/provider/:name', (request, response) =>
    deps.interactions().serve(request, () => begin(request, response, deps)),
  );
  router.get('/as-login/provider/:name/callback', (request, response) => complete(request, response, deps));
  router.post('/as-login/provider/:name/logout', (request, response) => endByProvider(request, response, deps));
}

async function begin(request: Request, response: Response, deps: RouteDeps): Promise<void> {
  const provider = providerOf(request, deps);
  const interaction = await interactionOf(request, response, deps);
  const { proof, state } = request.query;
  if (provider === undefined || interaction?.step !== 'login')
    return sendPage(response, expiredPage(pageContextOf(request)));
  if (typeof proof !== 'string' || !isSame(proof, formOf(interaction, deps).proof))
    return sendPage(response, expiredPage(pageContextOf(request)));
  try {
    const { address, secrets } = await provider.begin();
    const pageState = typeof state === 'string' ? state : '';
    const kept = { ...secrets, provider: provider.name, interactionId: interaction.id, pageState };
    if (!deps.cookie.set(response, kept)) throw new ProviderFailure('refused', 'the authorization request is too long');
    goOn(response, address);
  } catch (error) {
    showFailure(request, response, { error, interaction, provider }, deps);
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
  if (typeof state !== 'string' || !isSame(state, kept.state) || !(await isFirstUse('state', state, deps)))
    return expired();
  await deps.interactions().serve({ query: { state: kept.pageState } }, async () => {
    const interaction = await deps.interactions().find(request, response);
    if (interaction?.id !== kept.interactionId || interaction.step !== 'login') return expired();
    try {
      const login = await logIn(request, kept, { interaction, provider }, deps);
      await deps.secondFactor.begin({ request, response, interaction }, { ...login, methods: [FEDERATED] });
    } catch (error) {
      showFailure(request, response, { error, interaction, provider }, deps);
    }
  });
}

interface Attempt {
  readonly interaction: Interaction;
  readonly provider: OpenIdProvider;
}

/** Confirms the login at the provider and finds its user. */
async function logIn(
  request: Request,
  kept: ProviderRequest,
  { interaction, provider }: Attempt,
  deps: RouteDeps,
): Promise<{ readonly username: string; readonly loginId: string }> {
  const { users, federatedLogins, security, history, ids, loginLifeMs } = deps;
  const { subject, sid, claims, refreshToken } = await provider.complete(queryOf(request), kept);
  const { name, settings } = provider;
  const facts = { provider: name, clientId: interaction.clientId, address: clientAddressOf(request) };
  const identity = { provider: name, issuer: settings.issuer, subject };
  const verdict = await users.signIn({ ...identity, claims, rules: settings });
  const attempt = { ...facts, method: 'provider' } as const;
  if (verdict.kind === 'refused') {
    const outcome = verdict.reason === 'disabled' ? 'disabled' : 'refused';
    if (verdict.username !== undefined) history.note({ ...attempt, username: verdict.username, outcome });
    throw new ProviderFailure('refused', verdict.reason);
  }
  const { username } = verdict.account;
  const loginId = ids.next();
  await federatedLogins.save({ id: loginId, ...identity, sid, username, refreshToken }, loginLifeMs);
  // Nothing confirms such a login later.
  if (refreshToken === undefined) await federatedLogins.requireCheck(loginId);
  history.note({ ...attempt, username, outcome: 'succeeded' });
  security.record('login.succeeded', { ...facts, username });
  return { username, loginId };
}

function showFailure(
  request: Request,
  response: Response,
  { error, interaction, provider }: Attempt & { readonly error: unknown },
  deps: RouteDeps,
): void {
  if (!(error instanceof ProviderFailure)) throw error;
  const refusal: ProviderRefusal = error.kind === 'refused' ? 'provider-refused' : 'provider-unavailable';
  const facts = { provider: provider.name, clientId: interaction.clientId, address: clientAddressOf(request) };
  deps.security.record('federation.refused', { ...facts, reason: error.message });
  if (error.kind === 'unavailable') deps.logger.warn({ error, provider: provider.name }, 'a provider is unavailable');
  const page = loginPage(pageContextOf(request), formOf(interaction, deps), { refusal, username: '' });
  sendPage(response, page, interaction.redirectUri);
}

/** OpenID Connect Back-Channel Logout 1.0: ends what began with the login at once. */
async function endByProvider(request: Request, response: Response, deps: RouteDeps): Promise<void> {
  const provider = providerOf(request, deps);
  const body = new URLSearchParams((await deps.forms.receive(request, MAX_FORM_BYTES)).toString('utf8'));
  const refuse = (status: number, text: string) =>
    sendJson(response, status, {
      error: status === 400 ? 'invalid_request' : 'temporarily_unavailable',
      error_description: text,
    });
  if (provider === undefined) return refuse(400, 'The provider is unknown');
  try {
    const { subject, sid, id } = await provider.verifyLogout(body.get('logout_token') ?? '');
    if (!(await isFirstUse(`logout ${provider.name}`, id, deps)))
      return refuse(400, 'The logout token was used before');
    try {
      await deps.checks.end({ provider: provider.name, subject, sid }, 'logout at the provider', provider.name);
    } catch (error) {
      // The provider may send the token again.
      await deps.keyValues.delete(useKey(`logout ${provider.name}`, id));
      throw error;
    }
    response.setHeader('Content-Length', 0);
    response.status(200).end();
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    if (error.kind === 'unavailable') return refuse(503, 'The keys of the provider cannot be loaded now');
    deps.security.record('federation.refused', { provider: provider.name, reason: `logout: ${error.message}` });
    refuse(400, 'The logout token is not valid');
  }
}

function providerOf(request: Request, { openIdProviders }: OpenIdRoutesDeps): OpenIdProvider | undefined {
  const { name } = request.params;
  return typeof name === 'string' ? openIdProviders.get(name) : undefined;
}

const queryOf = ({ url }: Request): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

/** Whether a state or token id is used for the first time, in any replica. */
async function isFirstUse(kind: string, value: string, { keyValues }: OpenIdRoutesDeps): Promise<boolean> {
  const ttlMs = Math.max(STATE_TTL_MS, 2 * MAX_LOGOUT_AGE_SECONDS * 1000);
  return (await keyValues.increment(useKey(kind, value), ttlMs)) === 1;
}

const useKey = (kind: string, value: string): string =>
  `federation:${kind}:${createHash('sha256').update(value).digest('base64url')}`;
