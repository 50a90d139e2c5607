import { ACR_ONE_FACTOR, ACR_TWO_FACTORS } from '@lintel/contracts';
import { clientAddressOf } from '@lintel/http';
import { fingerprintOf } from '@lintel/passwords';
import type { Interaction } from '../../interactions.ts';
import type { Account } from '../../login-ports.ts';
import type { PendingLogin } from './pending-logins.ts';
import { createFactorReceiver, type FinishLogin } from './receive-factor.ts';
import { createPasskeyLogin } from './receive-passkey-login.ts';
import type {
  FactorRequest,
  FirstFactor,
  SecondFactorStep,
  SecondFactorStepDeps,
} from './second-factor-step.routes.ts';
import { createFactorViews, sendExpired } from './send-factor-page.ts';

/** Creates the step between the first factor and the end of the login. */
export function createSecondFactorStep(deps: SecondFactorStepDeps): SecondFactorStep {
  const { interactions, accounts, clients, requiredAcr, pending, records, goOn } = deps;
  const finish: FinishLogin = async ({ request, response, interaction }, login, by) => {
    await pending.remove(interaction.id);
    const { username, loginId, isStepUp, methods } = login;
    const amr = [...new Set([...methods, ...by])];
    const accepted = { username, loginId, acr: ACR_TWO_FACTORS, amr, isStepUp };
    const address = await interactions().acceptLogin(request, response, accepted);
    if (!isStepUp) records.succeeded(fromOf({ request, interaction }), login);
    goOn(response, address);
  };
  const views = createFactorViews(deps);
  const { checkCode, enrol, checkPasskey, enrolPasskey } = createFactorReceiver(deps, views, finish);
  const logInByPasskey = createPasskeyLogin(deps, views);

  /** The login that waits in an interaction; undefined if the user has changed since the first factor. */
  async function pendingOf({ id }: Interaction): Promise<PendingLogin | undefined> {
    const login = await pending.find(id);
    if (login === undefined) return undefined;
    if (isSameLogin(await accounts.find(login.username), login)) return login;
    await pending.remove(id);
    return undefined;
  }

  /** The browser has a valid login with one factor: the first one need not be repeated. */
  async function stepUpOf({ id, loggedIn }: Interaction): Promise<PendingLogin | undefined> {
    const account = loggedIn && (await accounts.find(loggedIn.username));
    if (loggedIn === undefined || account?.isActive !== true) return undefined;
    const login = newPending(account, { ...loggedIn }, true);
    await pending.save(id, login);
    return login;
  }

  return {
    withPasskeyLogin: views.withPasskeyLogin,
    async begin(at, first) {
      const { request, response, interaction } = at;
      const account = await accounts.find(first.username);
      if (account?.isActive !== true) return sendExpired(at);
      const acr = await requiredAcr({
        account,
        clientAcr: clients.find(interaction.clientId)?.requiredAcr,
        acrValues: interaction.acrValues,
        methods: first.methods,
      });
      if (acr === ACR_ONE_FACTOR) {
        const { username, loginId, methods: amr } = first;
        const accepted = { username, loginId, acr, amr, isStepUp: false };
        const address = await interactions().acceptLogin(request, response, accepted);
        records.succeeded(fromOf({ request, interaction }), first);
        return goOn(response, address);
      }
      await pending.save(interaction.id, newPending(account, first, false));
      goOn(response, interaction.pageAddress);
    },
    async show(at) {
      const login = (await pendingOf(at.interaction)) ?? (await stepUpOf(at.interaction));
      if (login === undefined) return false;
      if (login.passed === undefined) await views.showFactor(at, login);
      else views.showPassed(at);
      return true;
    },
    async submit(at, decision, body) {
      const credential = body.get('credential') ?? '';
      if (decision === 'passkey-login') return logInByPasskey(at, credential);
      const login = await pendingOf(at.interaction);
      if (login === undefined) return sendExpired(at);
      const code = (body.get('code') ?? '').slice(0, 100);
      switch (decision) {
        case 'code':
          return login.passed === undefined ? checkCode(at, login, code) : sendExpired(at);
        case 'enrol':
          return login.passed === undefined ? enrol(at, login, code) : views.showPassed(at);
        case 'passkey':
          return login.passed === undefined ? checkPasskey(at, login, credential) : sendExpired(at);
        case 'enrol-passkey':
          return login.passed === undefined ? enrolPasskey(at, login, credential) : views.showPassed(at);
        case 'continue':
          return login.passed === undefined ? sendExpired(at) : finish(at, login, login.passed);
        case 'restart':
          await pending.remove(at.interaction.id);
          return goOn(at.response, `${at.interaction.pageAddress}&restart=true`);
        default:
          return decision satisfies never;
      }
    },
  };
}

const isSameLogin = (account: Account | undefined, { userId, credential }: PendingLogin): account is Account =>
  account?.isActive === true && account.id === userId && fingerprintOf(account.passwordHash) === credential;

const fromOf = ({ request, interaction }: Pick<FactorRequest, 'request' | 'interaction'>) => ({
  clientId: interaction.clientId,
  address: clientAddressOf(request),
});

const newPending = (
  account: Account,
  { methods, loginId, provider }: FirstFactor,
  isStepUp: boolean,
): PendingLogin => ({
  userId: account.id,
  username: account.username,
  credential: fingerprintOf(account.passwordHash),
  methods,
  loginId,
  provider,
  isStepUp,
});
