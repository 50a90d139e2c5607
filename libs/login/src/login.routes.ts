import { createHmac } from 'node:crypto';
import { clientAddressOf, forbidCaching, isSameSecret } from '@lintel/http';
import type { Request, RequestHandler, Response, Router } from 'express';
import { RETRY_AFTER_FAILURES } from './credentials/check-credentials.ts';
import type { LoginCheck } from './credentials/login-check.ts';
import type { LoginRecords } from './credentials/login-records.ts';
import type { Interaction, Interactions } from './interactions.ts';
import { LOGIN_PATH } from './pages/login-path.ts';
import { consentPage, DECISION_FIELD, expiredPage, type LoginForm, loginPage } from './pages/pages.ts';
import type { FormReceiver } from './pages/receive-form.ts';
import { pageContextOf, sendPage } from './pages/send-page.ts';
import { CHANGE_DECISION } from './passwords/password-pages.ts';
import type { PasswordStep } from './passwords/password-step.routes.ts';
import { FACTOR_DECISIONS, type FactorDecision, PASSKEY_SCRIPT_PATH } from './second-factor/step/factor-pages.ts';
import { PASSKEY_SCRIPT } from './second-factor/step/passkey-script.ts';
import type { SecondFactorStep } from './second-factor/step/second-factor-step.routes.ts';

export interface LoginRoutesDeps {
  readonly interactions: () => Interactions;
  readonly authorize: RequestHandler;
  readonly checkLogin: LoginCheck;
  readonly records: LoginRecords;
  readonly passwordStep: PasswordStep;
  readonly secondFactor: SecondFactorStep;
  readonly forms: FormReceiver;
  /** `svc.authserver.scope` */
  readonly apiScope: string;
  readonly providers: LoginProviders;
  /** The same in all replicas; signs the forms. */
  readonly secret: string;
}

const MAX_FORM_BYTES = 16 * 1024;

/** The identity providers that users can log in at. */
export interface LoginProviders {
  readonly hasPasswords: boolean;
  /** Path of the page for a forgotten password. */
  readonly forgotPath?: string | undefined;
  /** Path of the page on which people create a user. */
  readonly signUpPath?: string | undefined;
  readonly all: readonly { readonly name: string; readonly title: string }[];
}

/** Routes of the authorization endpoint and of its pages. */
export function registerLoginRoutes(router: Router, deps: LoginRoutesDeps): void {
  router.get('/oauth2/authorize', deps.authorize);
  router.get('/oauth2/authorize/:uid', deps.authorize);
  router.get(PASSKEY_SCRIPT_PATH, (_request, response) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.type('text/javascript').send(PASSKEY_SCRIPT);
  });
  router.get(LOGIN_PATH, (request, response) =>
    deps.interactions().serve(request, () => show(request, response, deps)),
  );
  router.post(LOGIN_PATH, (request, response) =>
    deps.interactions().serve(request, () => submit(request, response, deps)),
  );
}

/** The interaction of the cookie, if it is the one of this URL. */
export async function interactionOf(
  request: Request,
  response: Response,
  deps: Pick<LoginRoutesDeps, 'interactions'>,
): Promise<Interaction | undefined> {
  const interaction = await deps.interactions().find(request, response);
  return interaction?.id === request.query['interaction'] ? interaction : undefined;
}

export function formOf(
  { id, clientName, pageAddress }: Interaction,
  { secret, providers }: Pick<LoginRoutesDeps, 'secret' | 'providers'>,
): LoginForm {
  const proof = createHmac('sha256', secret).update(`login form ${id}`).digest('base64url');
  const query = pageAddress.slice(LOGIN_PATH.length);
  return {
    action: pageAddress,
    proof,
    client: clientName,
    hasPasswords: providers.hasPasswords,
    forgotPath: providers.forgotPath,
    signUpPath: providers.signUpPath,
    providers: providers.all.map(({ name, title }) => ({
      title,
      address: `${LOGIN_PATH}/provider/${name}${query}&proof=${proof}`,
    })),
  };
}

async function show(request: Request, response: Response, deps: LoginRoutesDeps): Promise<void> {
  const context = pageContextOf(request);
  const interaction = await interactionOf(request, response, deps);
  if (interaction === undefined) return sendPage(response, expiredPage(context));
  const form = formOf(interaction, deps);
  const isRestart = request.query['restart'] !== undefined;
  if (interaction.step === 'login' && !isRestart) {
    if (await deps.secondFactor.show({ request, response, interaction, form })) return;
  }
  const [only, ...others] = form.providers;
  if (interaction.step === 'login' && !form.hasPasswords && only !== undefined && others.length === 0)
    return goOn(response, only.address);
  const page =
    interaction.step === 'consent'
      ? consentPage(context, form, interaction, deps.apiScope)
      : loginPage(context, await deps.secondFactor.withPasskeyLogin({ request, interaction, form }));
  sendPage(response, page, interaction.redirectUri);
}

async function submit(request: Request, response: Response, deps: LoginRoutesDeps): Promise<void> {
  const context = pageContextOf(request);
  const body = new URLSearchParams((await deps.forms.receive(request, MAX_FORM_BYTES)).toString('utf8'));
  const interaction = await interactionOf(request, response, deps);
  if (interaction === undefined) return sendPage(response, expiredPage(context));
  const form = formOf(interaction, deps);
  if (!isSameSecret(body.get('proof') ?? '', form.proof)) return sendPage(response, expiredPage(context));
  const interactions = deps.interactions();
  const decision = body.get(DECISION_FIELD);
  if (decision === 'deny') return goOn(response, await interactions.deny(request, response));
  if (interaction.step === 'consent') {
    if (decision === 'consent') return goOn(response, await interactions.acceptConsent(request, response));
    return sendPage(response, consentPage(context, form, interaction, deps.apiScope), interaction.redirectUri);
  }
  if (isFactorDecision(decision))
    return deps.secondFactor.submit({ request, response, interaction, form }, decision, body);
  if (decision === CHANGE_DECISION) {
    const account = await deps.passwordStep.submit({ request, response, interaction, form }, body);
    if (account === undefined) return;
    const first = { username: account.username, methods: ['pwd'] };
    return deps.secondFactor.begin({ request, response, interaction }, first);
  }
  const username = body.get('username') ?? '';
  const from = { address: clientAddressOf(request), clientId: interaction.clientId };
  const verdict = await deps.checkLogin({ username, password: body.get('password') ?? '', ...from });
  if (verdict.kind === 'accepted') {
    const { account, loginId, provider } = verdict;
    if (loginId === undefined && (await deps.passwordStep.show({ request, response, interaction, form }, account)))
      return deps.records.refused(from, verdict, 'password-change-required');
    deps.records.noteRight(from, verdict);
    const first = { username: account.username, loginId, provider, methods: ['pwd'] };
    return deps.secondFactor.begin({ request, response, interaction }, first);
  }
  if (verdict.refusal === 'too-many') response.setHeader('Retry-After', RETRY_AFTER_FAILURES);
  const again = await deps.secondFactor.withPasskeyLogin({ request, interaction, form });
  const page = loginPage(context, again, { refusal: verdict.refusal, username });
  sendPage(response, page, interaction.redirectUri);
}

const isFactorDecision = (decision: string | null): decision is FactorDecision =>
  FACTOR_DECISIONS.some((each) => each === decision);

/** Redirects with 303, so that the browser does not send the password to the next URL. */
export function goOn(response: Response, address: string): void {
  forbidCaching(response);
  response.statusCode = 303;
  response.setHeader('Location', address);
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Content-Length', 0);
  response.end();
}
