import { clientAddressOf } from '@lintel/http';
import type { Request, Response, Router } from 'express';
import { RETRY_AFTER_FAILURES } from '../credentials/check-credentials.ts';
import type { LoginConfig } from '../login-settings.ts';
import type { FormReceiver } from '../pages/receive-form.ts';
import { pageContextOf, sendPage } from '../pages/send-page.ts';
import { type Passwords, SIGN_UP_CONFIRM_PATH, SIGN_UP_PATH } from '../passwords/create-passwords.ts';
import { type ChangeProblem, linkExpiredPage } from '../passwords/password-pages.ts';
import { createProvenForms } from '../passwords/proven-forms.ts';
import type { ResetRoutesDeps } from '../passwords/reset.routes.ts';
import type { SignUps } from '../passwords/sign-up.ts';
import { loginTexts } from '../texts/texts.ts';
import { confirmSignUpPage, signUpPage, signUpSentPage, userCreatedPage } from './sign-up-pages.ts';

const MAX_NAME_LENGTH = 255;
const MINUTE_MS = 60_000;

interface SignUpRoutesDeps extends Omit<ResetRoutesDeps, 'resets'> {
  readonly signUps: SignUps;
}

/** Registers the pages if the sign-up is switched on. */
export function registerSignUp(
  router: Router,
  config: LoginConfig,
  { passwords: { signUps, mailTexts }, forms }: { readonly passwords: Passwords; readonly forms: FormReceiver },
): void {
  if (signUps === undefined || !config.passwordLogin) return;
  registerSignUpRoutes(router, {
    ...config.passwords,
    signUps,
    mailTexts,
    lifeMs: config.passwordResetLifeMs,
    host: new URL(config.platform.issuer).host,
    provenForms: createProvenForms(config, SIGN_UP_PATH, forms),
  });
}

/** Pages on which people create a user for themselves. */
function registerSignUpRoutes(router: Router, deps: SignUpRoutesDeps): void {
  router.get(SIGN_UP_PATH, (request, response) =>
    sendPage(response, signUpPage(pageContextOf(request), deps.provenForms.issue(SIGN_UP_PATH, request, response))),
  );
  router.post(SIGN_UP_PATH, (request, response) => requestLink(request, response, deps));
  router.get(SIGN_UP_CONFIRM_PATH, (request, response) => {
    const { token } = request.query;
    return showForm(request, response, deps, typeof token === 'string' ? token : '');
  });
  router.post(SIGN_UP_CONFIRM_PATH, (request, response) => complete(request, response, deps));
}

async function requestLink(request: Request, response: Response, deps: SignUpRoutesDeps): Promise<void> {
  const context = pageContextOf(request);
  const body = await deps.provenForms.receive(request, response);
  if (body === undefined) return;
  const email = (body.get('email') ?? '').slice(0, MAX_NAME_LENGTH + 1);
  const { host, lifeMs } = deps;
  const minutes = Math.round(lifeMs / MINUTE_MS);
  const facts = { host, minutes };
  const text = deps.mailTexts(request.headers['accept-language']);
  const isAccepted = await deps.signUps.request(email, clientAddressOf(request), {
    subject: text('lintel.mail.signUp.subject', facts),
    confirm: (link) => text('lintel.mail.signUp.text', { ...facts, link }),
    exists: text('lintel.mail.signUp.existsText', facts),
  });
  if (isAccepted) return sendPage(response, signUpSentPage(context, minutes));
  response.setHeader('Retry-After', RETRY_AFTER_FAILURES);
  sendPage(response, signUpPage(context, deps.provenForms.issue(SIGN_UP_PATH, request, response), 'limited'));
}

async function showForm(
  request: Request,
  response: Response,
  deps: SignUpRoutesDeps,
  token: string,
  problem?: ChangeProblem,
): Promise<void> {
  const context = pageContextOf(request);
  const email = await deps.signUps.emailOf(token);
  if (email === undefined) return sendPage(response, linkExpiredPage(context, SIGN_UP_PATH));
  const form = deps.provenForms.issue(SIGN_UP_CONFIRM_PATH, request, response);
  sendPage(response, confirmSignUpPage(context, { ...form, token, email, minLength: deps.minLength, problem }));
}

async function complete(request: Request, response: Response, deps: SignUpRoutesDeps): Promise<void> {
  const context = pageContextOf(request);
  const body = await deps.provenForms.receive(request, response);
  if (body === undefined) return;
  const [token, next] = [body.get('token') ?? '', body.get('new-password') ?? ''];
  if (next !== (body.get('repeated-password') ?? '')) return showForm(request, response, deps, token, 'mismatch');
  const { locale } = loginTexts(request.headers['accept-language']);
  const result = await deps.signUps.complete(token, next, clientAddressOf(request), locale);
  if (result === 'created') return sendPage(response, userCreatedPage(context));
  if (result === 'expired') return sendPage(response, linkExpiredPage(context, SIGN_UP_PATH));
  await showForm(request, response, deps, token, result.weakness);
}
