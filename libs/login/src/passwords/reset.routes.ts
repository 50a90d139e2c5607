import { clientAddressOf } from '@lintel/http';
import type { Request, Response, Router } from 'express';
import { RETRY_AFTER_FAILURES } from '../credentials/check-credentials.ts';
import type { Page } from '../pages/pages.ts';
import { pageContextOf, sendPage } from '../pages/send-page.ts';
import { type Passwords, RESET_PATH } from './create-passwords.ts';
import {
  type ChangeProblem,
  forgotPage,
  linkExpiredPage,
  linkSentPage,
  passwordChangedPage,
  resetPage,
} from './password-pages.ts';
import { problemOf } from './password-step.routes.ts';
import type { ProvenForms } from './proven-forms.ts';
import type { PasswordResets } from './reset-password.ts';

/** Path of the page on which users request a link. */
export const FORGOT_PATH = '/as-login/password/forgot';
const MAX_NAME_LENGTH = 255;
const MINUTE_MS = 60_000;

export interface ResetRoutesDeps {
  readonly resets: PasswordResets;
  readonly minLength: number;
  /** Life of a link. */
  readonly lifeMs: number;
  /** What mails call the installation. */
  readonly host: string;
  readonly mailTexts: Passwords['mailTexts'];
  readonly provenForms: ProvenForms;
}

/** Pages for users who have forgotten their password. */
export function registerResetRoutes(router: Router, deps: ResetRoutesDeps): void {
  router.get(FORGOT_PATH, (request, response) =>
    sendPage(response, forgotPage(pageContextOf(request), deps.provenForms.issue(FORGOT_PATH, request, response))),
  );
  router.post(FORGOT_PATH, (request, response) => requestLink(request, response, deps));
  router.get(RESET_PATH, (request, response) => open(request, response, deps));
  router.post(RESET_PATH, (request, response) => reset(request, response, deps));
}

async function requestLink(request: Request, response: Response, deps: ResetRoutesDeps): Promise<void> {
  const context = pageContextOf(request);
  const body = await deps.provenForms.receive(request, response);
  if (body === undefined) return;
  const name = (body.get('name') ?? '').slice(0, MAX_NAME_LENGTH);
  const minutes = Math.round(deps.lifeMs / MINUTE_MS);
  const facts = { host: deps.host, minutes };
  const text = deps.mailTexts(request.headers['accept-language']);
  const isAccepted = await deps.resets.request(name, clientAddressOf(request), {
    subject: text('lintel.mail.passwordReset.subject', facts),
    text: (link) => text('lintel.mail.passwordReset.text', { ...facts, link }),
  });
  if (isAccepted) return sendPage(response, linkSentPage(context, minutes));
  response.setHeader('Retry-After', RETRY_AFTER_FAILURES);
  sendPage(response, forgotPage(context, deps.provenForms.issue(FORGOT_PATH, request, response), 'limited'));
}

/** Opening a link does not use it: programs that check mails open links, too. */
async function open(request: Request, response: Response, deps: ResetRoutesDeps): Promise<void> {
  const { token } = request.query;
  const context = pageContextOf(request);
  if (typeof token !== 'string' || !(await deps.resets.isValid(token)))
    return sendPage(response, linkExpiredPage(context, FORGOT_PATH));
  sendPage(response, pageOf(request, response, deps, token));
}

function pageOf(
  request: Request,
  response: Response,
  deps: ResetRoutesDeps,
  token: string,
  problem?: ChangeProblem,
): Page {
  const form = deps.provenForms.issue(RESET_PATH, request, response);
  return resetPage(pageContextOf(request), { ...form, token, minLength: deps.minLength, problem });
}

async function reset(request: Request, response: Response, deps: ResetRoutesDeps): Promise<void> {
  const context = pageContextOf(request);
  const body = await deps.provenForms.receive(request, response);
  if (body === undefined) return;
  const [token, next] = [body.get('token') ?? '', body.get('new-password') ?? ''];
  const again = (problem: ChangeProblem): void => sendPage(response, pageOf(request, response, deps, token, problem));
  if (next !== (body.get('repeated-password') ?? '')) return again('mismatch');
  const result = await deps.resets.use(token, next, clientAddressOf(request));
  // A link that another request has used meanwhile is refused as one that was used before.
  if (result === undefined || result.kind === 'refused')
    return sendPage(response, linkExpiredPage(context, FORGOT_PATH));
  if (result.kind !== 'changed') return again(problemOf(result));
  sendPage(response, passwordChangedPage(context));
}
