import { ACR_TWO_FACTORS } from '@lintel/contracts';
import { clientAddressOf } from '@lintel/http';
import { loginPage } from '../../pages/pages.ts';
import { pageContextOf } from '../../pages/send-page.ts';
import type { FactorRequest, SecondFactorStepDeps } from './second-factor-step.routes.ts';
import { type FactorViews, sendFactorPage } from './send-factor-page.ts';

type PasskeyLoginDeps = Pick<
  SecondFactorStepDeps,
  'interactions' | 'accounts' | 'passkeys' | 'security' | 'history' | 'goOn'
>;

/** Creates the login by a passkey without a password: one whose user was verified stands for both factors. */
export function createPasskeyLogin(
  { interactions, accounts, passkeys, security, history, goOn }: PasskeyLoginDeps,
  views: Pick<FactorViews, 'withPasskeyLogin'>,
): (at: FactorRequest, credential: string) => Promise<void> {
  return async (at, credential) => {
    const { request, response, interaction } = at;
    const userId = await passkeys?.verifyLogin(interaction.id, credential);
    const username = userId === undefined ? undefined : await passkeys?.usernameOf(userId);
    const account = username === undefined ? undefined : await accounts.find(username);
    const origin = { clientId: interaction.clientId, address: clientAddressOf(request) };
    const facts = { ...origin, reason: 'passkey' };
    // Users without a password here log in at a provider or directory, which may have disabled them.
    if (account?.isActive !== true || account.passwordHash === '') {
      security.record('login.failed', facts);
      if (account?.isActive === false)
        history.note({ ...origin, username: account.username, outcome: 'disabled', method: 'passkey' });
      const form = await views.withPasskeyLogin(at);
      const refusal = { refusal: 'passkey-refused', username: '' } as const;
      return sendFactorPage(at, loginPage(pageContextOf(request), form, refusal));
    }
    security.record('login.succeeded', { ...facts, username: account.username });
    history.note({ ...origin, username: account.username, outcome: 'succeeded', method: 'passkey' });
    const accepted = { username: account.username, acr: ACR_TWO_FACTORS, amr: ['pop', 'user', 'mfa'], isStepUp: false };
    goOn(response, await interactions().acceptLogin(request, response, accepted));
  };
}
