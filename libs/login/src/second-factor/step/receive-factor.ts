import { pageContextOf } from '../../pages/send-page.ts';
import type { FactorUser, FactorVerdict } from '../factors/check-code.ts';
import type { PendingLogin } from './pending-logins.ts';
import type { FactorRequest, SecondFactorStepDeps } from './second-factor-step.routes.ts';
import { type FactorViews, userOf } from './send-factor-page.ts';

/** Methods of RFC 8176 of a passkey. */
const PASSKEY_METHODS = ['pop', 'mfa'];
/** Methods of RFC 8176 of a one-time password as the second factor. */
const CODE_METHODS = ['otp', 'mfa'];

/** The end of a login after its second factor; `by` are the methods of the factor. */
export type FinishLogin = (at: FactorRequest, login: PendingLogin, by: readonly string[]) => Promise<void>;

/** What a user sends as the second factor, or to set up the first one. */
export interface FactorReceiver {
  checkCode(at: FactorRequest, login: PendingLogin, code: string): Promise<void>;
  enrol(at: FactorRequest, login: PendingLogin, code: string): Promise<void>;
  checkPasskey(at: FactorRequest, login: PendingLogin, credential: string): Promise<void>;
  enrolPasskey(at: FactorRequest, login: PendingLogin, credential: string): Promise<void>;
}

/** Creates what receives factors. Each method sends the response. */
export function createFactorReceiver(
  { own, checks, passkeys, history }: Pick<SecondFactorStepDeps, 'own' | 'checks' | 'passkeys' | 'history'>,
  views: FactorViews,
  finish: FinishLogin,
): FactorReceiver {
  /** Attempts above the limits are not recorded: their number has no limit. */
  function note({ interaction }: FactorRequest, { username, address }: FactorUser, verdict: FactorVerdict): void {
    if (verdict === 'locked') return;
    const outcome = verdict === 'right' ? 'succeeded' : 'wrong-code';
    history.note({ username, outcome, method: 'second-factor', clientId: interaction.clientId, address });
  }

  return {
    async checkCode(at, login, code) {
      const user = userOf(login, at.request);
      const verdict = await checks.checkCode(user, code);
      note(at, user, verdict);
      if (verdict === 'right') return finish(at, login, CODE_METHODS);
      await views.showFactor(at, login, verdict);
    },
    async enrol(at, login, code) {
      const { offeredSecret: secret } = login;
      if (secret === undefined) return views.showFactor(at, login);
      const { appName: name } = pageContextOf(at.request).texts.factors;
      // A user who has got a factor meanwhile must pass that one: the password alone adds only the first.
      const result = await own.confirmTotp(userOf(login, at.request), { secret, code, name }, true);
      if (result.kind === 'wrong-code') return views.showFactor(at, login, 'wrong');
      if (result.kind === 'too-many') return views.showFactor(at, login);
      await views.showCodes(at, login, CODE_METHODS);
    },
    async checkPasskey(at, login, credential) {
      const work = async () => (await passkeys?.verifyFactor(at.interaction.id, login.userId, credential)) === true;
      const user = userOf(login, at.request);
      const verdict = await checks.attempt(user, work);
      note(at, user, verdict);
      if (verdict === 'right') return finish(at, login, PASSKEY_METHODS);
      await views.showFactor(at, login, verdict === 'wrong' ? 'wrong-passkey' : verdict);
    },
    async enrolPasskey(at, login, credential) {
      const { name } = pageContextOf(at.request).texts.factors.passkeys;
      if (await passkeys?.register(at.interaction.id, userOf(login, at.request), credential, name))
        return views.showCodes(at, login, PASSKEY_METHODS);
      await views.showFactor(at, login, 'wrong-passkey');
    },
  };
}
