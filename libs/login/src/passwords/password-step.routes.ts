import { clientAddressOf } from '@lintel/http';
import { RETRY_AFTER_FAILURES } from '../credentials/check-credentials.ts';
import type { Account } from '../login-ports.ts';
import { expiredPage } from '../pages/pages.ts';
import { pageContextOf, sendPage } from '../pages/send-page.ts';
import type { FactorRequest } from '../second-factor/step/second-factor-step.routes.ts';
import type { PasswordChangeResult, PasswordChanges } from './change-password.ts';
import { type ChangeProblem, changePasswordPage } from './password-pages.ts';

/** The step of a login at which a user must choose a new password. */
export interface PasswordStep {
  /** Shows the form; false, without a response, if the user need not change the password. */
  show(at: FactorRequest, account: Account): Promise<boolean>;
  /** Receives the form. Returns the user with the new password; undefined after a response that shows the problem. */
  submit(at: FactorRequest, body: URLSearchParams): Promise<Account | undefined>;
}

export interface PasswordStepDeps {
  readonly changes: PasswordChanges;
  readonly minLength: number;
}

/** The problem of a result, for the form. */
export function problemOf(result: Exclude<PasswordChangeResult, { readonly kind: 'changed' }>): ChangeProblem {
  if (result.kind === 'refused') return result.refusal;
  if (result.kind === 'unconfirmed') return result.problem;
  return result.kind === 'weak' ? result.weakness : 'elsewhere';
}

export function createPasswordStep({ changes, minLength }: PasswordStepDeps): PasswordStep {
  const send = ({ request, response, interaction, form }: FactorRequest, username: string, problem?: ChangeProblem) => {
    const page = changePasswordPage(pageContextOf(request), {
      ...form,
      username,
      minLength,
      isRequired: true,
      problem,
    });
    if (page.status === 429) response.setHeader('Retry-After', RETRY_AFTER_FAILURES);
    sendPage(response, page, interaction.redirectUri);
  };
  return {
    async show(at, account) {
      if (!(await changes.isRequired(account))) return false;
      send(at, account.username);
      return true;
    },
    async submit(at, body) {
      const username = body.get('username') ?? '';
      const next = body.get('new-password') ?? '';
      if (next !== (body.get('repeated-password') ?? '')) {
        send(at, username, 'mismatch');
        return undefined;
      }
      const result = await changes.change({
        username,
        current: body.get('password') ?? '',
        next,
        address: clientAddressOf(at.request),
        clientId: at.interaction.clientId,
        kept: 'none',
        // All other changes are made on the page that asks for the second factor, too.
        onlyRequired: true,
      });
      if (result.kind === 'changed') return result.account;
      if (result.kind === 'not-required') sendPage(at.response, expiredPage(pageContextOf(at.request)));
      else send(at, username, problemOf(result));
      return undefined;
    },
  };
}
