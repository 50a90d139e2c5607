import { clientAddressOf } from '@lintel/http';
import type { Request } from 'express';
import { RETRY_AFTER_FAILURES } from '../../credentials/check-credentials.ts';
import { expiredPage, type LoginForm, type Page } from '../../pages/pages.ts';
import { pageContextOf, sendPage } from '../../pages/send-page.ts';
import type { FactorUser, FactorVerdict } from '../factors/check-code.ts';
import {
  codePage,
  enrolPage,
  type FactorDecision,
  type PasskeyRequest,
  passkeyForm,
  recoveryCodesPage,
} from './factor-pages.ts';
import type { PendingLogin } from './pending-logins.ts';
import type { FactorRequest, SecondFactorStep, SecondFactorStepDeps } from './second-factor-step.routes.ts';

/** The pages of the step, sent as responses. */
export interface FactorViews {
  readonly withPasskeyLogin: SecondFactorStep['withPasskeyLogin'];
  /** The page of a user with factors, or the one that sets up the first. */
  showFactor(at: FactorRequest, login: PendingLogin, verdict?: FactorVerdict | 'wrong-passkey'): Promise<void>;
  /** New recovery codes; `passed` are the methods of the factor that was set up. */
  showCodes(at: FactorRequest, login: PendingLogin, passed: readonly string[]): Promise<void>;
  /** The codes were shown before; only the button is left. */
  showPassed(at: FactorRequest): void;
}

/** Creates the pages of the step. */
export function createFactorViews(
  deps: Pick<SecondFactorStepDeps, 'pending' | 'factors' | 'own' | 'passkeys'>,
): FactorViews {
  const { pending, factors, own, passkeys } = deps;

  async function codePageOf(
    at: FactorRequest,
    login: PendingLogin,
    hasApp: boolean,
    verdict?: FactorVerdict | 'wrong-passkey',
  ): Promise<Page> {
    const problem = verdict === 'right' ? undefined : verdict;
    const options = await passkeys?.factorOptions(at.interaction.id, login.userId);
    const form = withPasskey(at, 'get', 'passkey', options);
    return codePage(pageContextOf(at.request), form, { username: login.username, hasApp }, problem);
  }

  async function enrolPageOf(
    at: FactorRequest,
    login: PendingLogin,
    verdict?: FactorVerdict | 'wrong-passkey',
  ): Promise<Page> {
    const secret = login.offeredSecret ?? own.offerTotp(login.username).secret;
    if (login.offeredSecret === undefined) await pending.save(at.interaction.id, { ...login, offeredSecret: secret });
    const isWrong = verdict !== undefined && verdict !== 'right';
    const problem = isWrong ? (verdict === 'wrong-passkey' ? verdict : 'wrong-code') : undefined;
    const options = await passkeys?.registrationOptions(at.interaction.id, userOf(login, at.request));
    const form = withPasskey(at, 'create', 'enrol-passkey', options);
    return enrolPage(pageContextOf(at.request), form, { secret, uri: own.uriOf(secret, login.username) }, problem);
  }

  return {
    withPasskeyLogin: async ({ request, interaction, form }) =>
      form.hasPasswords
        ? withPasskey({ request, form }, 'get', 'passkey-login', await passkeys?.loginOptions(interaction.id))
        : form,
    async showFactor(at, login, verdict) {
      const known = await factors.of(login.userId);
      const hasApp = known.some(({ kind }) => kind === 'totp');
      sendFactorPage(
        at,
        known.length > 0 ? await codePageOf(at, login, hasApp, verdict) : await enrolPageOf(at, login, verdict),
      );
    },
    async showCodes(at, login, passed) {
      const codes = await own.renewRecoveryCodes(userOf(login, at.request));
      await pending.save(at.interaction.id, { ...login, passed });
      sendFactorPage(at, recoveryCodesPage(pageContextOf(at.request), at.form, codes));
    },
    showPassed: (at) => sendFactorPage(at, recoveryCodesPage(pageContextOf(at.request), at.form, [])),
  };
}

/** Sends a page of the step. */
export function sendFactorPage({ response, interaction }: FactorRequest, page: Page): void {
  if (page.status === 429) response.setHeader('Retry-After', RETRY_AFTER_FAILURES);
  sendPage(response, page, interaction.redirectUri);
}

/** Sends the page of an interaction that is over. */
export const sendExpired = ({ request, response }: Pick<FactorRequest, 'request' | 'response'>): void =>
  sendPage(response, expiredPage(pageContextOf(request)));

/** The user of a login as the checks of factors count attempts. */
export const userOf = ({ userId, username }: PendingLogin, request: Request): FactorUser => ({
  id: userId,
  username,
  address: clientAddressOf(request),
});

/** The form with that of a passkey after it, if the user can use one. */
const withPasskey = (
  { request, form }: Pick<FactorRequest, 'request' | 'form'>,
  kind: PasskeyRequest['kind'],
  decision: FactorDecision,
  options: object | undefined,
): LoginForm =>
  options === undefined
    ? form
    : { ...form, passkey: passkeyForm(pageContextOf(request), form, { kind, decision, options }) };
