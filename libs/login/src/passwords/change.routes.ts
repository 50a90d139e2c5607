import { ACR_TWO_FACTORS } from '@lintel/contracts';
import { clientAddressOf, isSufficient } from '@lintel/http';
import type { Clock } from '@lintel/timing';
import type { Request, Response, Router } from 'express';
import { RETRY_AFTER_FAILURES } from '../credentials/check-credentials.ts';
import type { Interactions } from '../interactions.ts';
import type { Account } from '../login-ports.ts';
import { LOGIN_PATH } from '../pages/login-path.ts';
import { pageContextOf, sendPage } from '../pages/send-page.ts';
import type { FactorChecks } from '../second-factor/factors/check-code.ts';
import type { FactorStore } from '../second-factor/factors/factor-store.ts';
import type { PasswordChanges } from './change-password.ts';
import { type ChangeProblem, changePasswordPage, passwordChangedPage } from './password-pages.ts';
import { problemOf } from './password-step.routes.ts';
import type { ProvenForms } from './proven-forms.ts';

/** Path of the page on which users change their password, at any time. */
export const PASSWORD_PATH = `${LOGIN_PATH}/password`;
/** How old a login of the browser may be that replaces the code. */
const MAX_AGE_SECONDS = 600;
/** Client in the login history: the page belongs to none. */
const NO_CLIENT = 'password page';

export interface ChangeRoutesDeps {
  readonly changes: PasswordChanges;
  readonly minLength: number;
  readonly provenForms: ProvenForms;
  readonly interactions: () => Pick<Interactions, 'browserLogin'>;
  readonly clock: Clock;
  readonly factors: Pick<FactorStore, 'hasAny'>;
  readonly checks: Pick<FactorChecks, 'checkCode'>;
}

/** The page for the current and a new password, which needs no login. */
export function registerChangeRoutes(router: Router, deps: ChangeRoutesDeps): void {
  router.get(PASSWORD_PATH, (request, response) => send(request, response, deps, {}));
  router.post(PASSWORD_PATH, (request, response) => submit(request, response, deps));
}

interface Shown {
  readonly username?: string;
  readonly hasCode?: boolean;
  readonly problem?: ChangeProblem;
}

function send(request: Request, response: Response, { provenForms, minLength }: ChangeRoutesDeps, shown: Shown): void {
  const page = changePasswordPage(pageContextOf(request), {
    ...provenForms.issue(PASSWORD_PATH, request, response),
    minLength,
    username: '',
    ...shown,
  });
  if (page.status === 429) response.setHeader('Retry-After', RETRY_AFTER_FAILURES);
  sendPage(response, page);
}

async function submit(request: Request, response: Response, deps: ChangeRoutesDeps): Promise<void> {
  const body = await deps.provenForms.receive(request, response);
  if (body === undefined) return;
  const username = body.get('username') ?? '';
  const next = body.get('new-password') ?? '';
  const again = (problem: ChangeProblem, hasCode = body.has('code')): void =>
    send(request, response, deps, { username, problem, hasCode });
  if (next !== (body.get('repeated-password') ?? '')) return again('mismatch');
  const address = clientAddressOf(request);
  const result = await deps.changes.change({
    username,
    current: body.get('password') ?? '',
    next,
    address,
    clientId: NO_CLIENT,
    kept: 'none',
    confirm: async (account) =>
      (await isConfirmed(account, request, response, deps))
        ? undefined
        : checkCode(account, body.get('code') ?? '', address, deps),
  });
  if (result.kind === 'changed') return sendPage(response, passwordChangedPage(pageContextOf(request)));
  if (result.kind === 'unconfirmed') return again(result.problem, true);
  again(problemOf(result));
}

/**
 * A password alone must not lock the user of a second factor out. A new login of this browser with two factors is
 * enough: users who have only passkeys have no codes of an app.
 */
async function isConfirmed(
  { id, username }: Account,
  request: Request,
  response: Response,
  { factors, interactions, clock }: ChangeRoutesDeps,
): Promise<boolean> {
  if (!(await factors.hasAny(id))) return true;
  const login = await interactions().browserLogin(request, response);
  const needed = { acr: ACR_TWO_FACTORS, maxAgeSeconds: MAX_AGE_SECONDS };
  return login?.username === username && isSufficient(login, needed, clock.now());
}

async function checkCode(
  { id, username }: Account,
  code: string,
  address: string,
  { checks }: ChangeRoutesDeps,
): Promise<'code-missing' | 'wrong-code' | 'limited' | undefined> {
  if (code === '') return 'code-missing';
  const verdict = await checks.checkCode({ id, username, address }, code);
  if (verdict === 'right') return undefined;
  return verdict === 'locked' ? 'limited' : 'wrong-code';
}
