import { ACR_ONE_FACTOR, ACR_TWO_FACTORS } from '@lintel/contracts';
import { clientAddressOf } from '@lintel/http';
import type { SecurityLog } from '@lintel/telemetry';
import type { Request, Response } from 'express';
import type { Account, AccountDirectory } from '../../accounts/account.ts';
import type { LoginHistory } from '../../accounts/login-history.ts';
import type { LoginRecords } from '../../accounts/login-records.ts';
import type { ClientRegistry } from '../../clients/client.ts';
import type { Interaction, Interactions } from '../../provider/interactions.ts';
import type { FactorChecks, FactorUser, FactorVerdict } from '../../second-factor/factors/check-code.ts';
import type { FactorStore } from '../../second-factor/factors/factor-store.ts';
import type { OwnFactors } from '../../second-factor/factors/own-factors.ts';
import type { Passkeys } from '../../second-factor/passkeys/create-passkeys.ts';
import type { RequiredAcr } from '../../second-factor/requirement.ts';
import { fingerprintOf } from '../../sessions/login.ts';
import { RETRY_AFTER_FAILURES } from '../../tokens/refusals.ts';
import { expiredPage, type LoginForm, loginPage, type Page } from '../pages.ts';
import { pageContextOf, sendPage } from '../send-page.ts';
import {
  codePage,
  enrolPage,
  type FactorDecision,
  type PasskeyRequest,
  passkeyForm,
  recoveryCodesPage,
} from './factor-pages.ts';
import { factorTexts } from './factor-texts.ts';
import type { PendingLogin, PendingLogins } from './pending-logins.ts';

/** A login whose first factor was right. */
export interface FirstFactor {
  readonly username: string;
  /** Methods of RFC 8176. */
  readonly methods: readonly string[];
  /** Of a login at an identity provider or in a directory. */
  readonly loginId?: string | undefined;
  /** The identity provider or directory of that login. */
  readonly provider?: string | undefined;
}

/** One request of a browser to the page of its interaction. */
export interface FactorRequest {
  readonly request: Request;
  readonly response: Response;
  readonly interaction: Interaction;
  readonly form: LoginForm;
}

/** The step between the first factor and the end of the login. Every method sends the response. */
export interface SecondFactorStep {
  /** Goes on after the first factor: to the client, or to the page of the second factor. */
  begin(at: Omit<FactorRequest, 'form'>, first: FirstFactor): Promise<void>;
  /** Shows the page of the second factor; false, without a response, if the interaction is not at this step. */
  show(at: FactorRequest): Promise<boolean>;
  /** The form of the login page with the login by a passkey, if users can have passkeys. */
  withPasskeyLogin(at: Pick<FactorRequest, 'request' | 'interaction' | 'form'>): Promise<LoginForm>;
  /** Receives a form of these pages. */
  submit(at: FactorRequest, decision: FactorDecision, body: URLSearchParams): Promise<void>;
}

export interface SecondFactorStepDeps {
  readonly interactions: () => Interactions;
  readonly accounts: Pick<AccountDirectory, 'find'>;
  readonly clients: Pick<ClientRegistry, 'find'>;
  readonly requiredAcr: RequiredAcr;
  readonly pending: PendingLogins;
  readonly factors: FactorStore;
  readonly own: OwnFactors;
  readonly checks: FactorChecks;
  /** Undefined if users cannot have passkeys. */
  readonly passkeys: Passkeys | undefined;
  readonly security: SecurityLog;
  readonly history: Pick<LoginHistory, 'note'>;
  readonly records: Pick<LoginRecords, 'succeeded'>;
  readonly goOn: (response: Response, address: string) => void;
}

/** Methods of RFC 8176 of a passkey. */
const PASSKEY_METHODS = ['pop', 'mfa'];
/** Methods of RFC 8176 of a one-time password as the second factor. */
const CODE_METHODS = ['otp', 'mfa'];

const isSameLogin = (account: Account | undefined, { userId, credential }: PendingLogin): account is Account =>
  account?.isActive === true && account.id === userId && fingerprintOf(account.passwordHash) === credential;

export function createSecondFactorStep(deps: SecondFactorStepDeps): SecondFactorStep {
  const { interactions, accounts, clients, requiredAcr, pending, factors, own, checks, passkeys, history } = deps;
  const { security, records, goOn } = deps;
  const expired = ({ request, response }: Pick<FactorRequest, 'request' | 'response'>): void =>
    sendPage(response, expiredPage(pageContextOf(request)));
  const send = ({ response, interaction }: FactorRequest, page: Page): void => {
    if (page.status === 429) response.setHeader('Retry-After', RETRY_AFTER_FAILURES);
    sendPage(response, page, interaction.redirectUri);
  };
  const userOf = ({ userId, username }: PendingLogin, request: Request): FactorUser => ({
    id: userId,
    username,
    address: clientAddressOf(request),
  });

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

  /** The page of a user with factors, or the one that sets up the first. */
  async function factorPage(
    at: FactorRequest,
    login: PendingLogin,
    verdict?: FactorVerdict | 'wrong-passkey',
  ): Promise<Page> {
    const context = pageContextOf(at.request);
    const known = await factors.of(login.userId);
    if (known.length > 0) {
      const problem = verdict === 'right' ? undefined : verdict;
      const options = await passkeys?.factorOptions(at.interaction.id, login.userId);
      const user = { username: login.username, hasApp: known.some(({ kind }) => kind === 'totp') };
      return codePage(context, withPasskey(at, 'get', 'passkey', options), user, problem);
    }
    const secret = login.offeredSecret ?? own.offerTotp(login.username).secret;
    if (login.offeredSecret === undefined) await pending.save(at.interaction.id, { ...login, offeredSecret: secret });
    const isWrong = verdict !== undefined && verdict !== 'right';
    const problem = isWrong ? (verdict === 'wrong-passkey' ? verdict : 'wrong-code') : undefined;
    const options = await passkeys?.registrationOptions(at.interaction.id, userOf(login, at.request));
    const form = withPasskey(at, 'create', 'enrol-passkey', options);
    return enrolPage(context, form, { secret, uri: own.uriOf(secret, login.username) }, problem);
  }

  async function finish({ request, response, interaction }: FactorRequest, login: PendingLogin, by: readonly string[]) {
    await pending.remove(interaction.id);
    const { username, loginId, isStepUp, methods } = login;
    const amr = [...new Set([...methods, ...by])];
    const accepted = { username, loginId, acr: ACR_TWO_FACTORS, amr, isStepUp };
    const address = await interactions().acceptLogin(request, response, accepted);
    if (!isStepUp) records.succeeded(fromOf({ request, interaction }), login);
    goOn(response, address);
  }

  /** Attempts above the limits are not recorded: their number has no limit. */
  function note({ interaction }: FactorRequest, { username, address }: FactorUser, verdict: FactorVerdict): void {
    if (verdict === 'locked') return;
    const outcome = verdict === 'right' ? 'succeeded' : 'wrong-code';
    history.note({ username, outcome, method: 'second-factor', clientId: interaction.clientId, address });
  }

  async function checkCode(at: FactorRequest, login: PendingLogin, code: string): Promise<void> {
    const user = userOf(login, at.request);
    const verdict = await checks.checkCode(user, code);
    note(at, user, verdict);
    if (verdict === 'right') return finish(at, login, CODE_METHODS);
    send(at, await factorPage(at, login, verdict));
  }

  async function enrol(at: FactorRequest, login: PendingLogin, code: string): Promise<void> {
    const { offeredSecret: secret } = login;
    const context = pageContextOf(at.request);
    if (secret === undefined) return send(at, await factorPage(at, login));
    const user = userOf(login, at.request);
    const { appName: name } = factorTexts(context.language);
    // A user who has got a factor meanwhile must pass that one: the password alone adds only the first.
    const result = await own.confirmTotp(user, { secret, code, name }, true);
    if (result.kind === 'wrong-code') return send(at, await factorPage(at, login, 'wrong'));
    if (result.kind === 'too-many') return send(at, await factorPage(at, login));
    await showCodes(at, login, CODE_METHODS);
  }

  async function showCodes(at: FactorRequest, login: PendingLogin, passed: readonly string[]): Promise<void> {
    const codes = await own.renewRecoveryCodes(userOf(login, at.request));
    await pending.save(at.interaction.id, { ...login, passed });
    send(at, recoveryCodesPage(pageContextOf(at.request), at.form, codes));
  }

  async function checkPasskey(at: FactorRequest, login: PendingLogin, credential: string): Promise<void> {
    const work = async () => (await passkeys?.verifyFactor(at.interaction.id, login.userId, credential)) === true;
    const user = userOf(login, at.request);
    const verdict = await checks.attempt(user, work);
    note(at, user, verdict);
    if (verdict === 'right') return finish(at, login, PASSKEY_METHODS);
    send(at, await factorPage(at, login, verdict === 'wrong' ? 'wrong-passkey' : verdict));
  }

  async function enrolPasskey(at: FactorRequest, login: PendingLogin, credential: string): Promise<void> {
    const user = userOf(login, at.request);
    const { name } = factorTexts(pageContextOf(at.request).language).passkeys;
    if (await passkeys?.register(at.interaction.id, user, credential, name))
      return showCodes(at, login, PASSKEY_METHODS);
    send(at, await factorPage(at, login, 'wrong-passkey'));
  }

  /** A passkey whose user was verified stands for both factors. */
  async function logInByPasskey(at: FactorRequest, credential: string): Promise<void> {
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
      const form = await withPasskeyLogin(at);
      return send(at, loginPage(pageContextOf(request), form, { refusal: 'passkey-refused', username: '' }));
    }
    security.record('login.succeeded', { ...facts, username: account.username });
    history.note({ ...origin, username: account.username, outcome: 'succeeded', method: 'passkey' });
    const accepted = { username: account.username, acr: ACR_TWO_FACTORS, amr: ['pop', 'user', 'mfa'], isStepUp: false };
    goOn(response, await interactions().acceptLogin(request, response, accepted));
  }

  const withPasskeyLogin: SecondFactorStep['withPasskeyLogin'] = async ({ request, interaction, form }) =>
    form.hasPasswords
      ? withPasskey({ request, form }, 'get', 'passkey-login', await passkeys?.loginOptions(interaction.id))
      : form;

  /** The codes were shown before; only the button is left. */
  const showPassed = (at: FactorRequest): void => send(at, recoveryCodesPage(pageContextOf(at.request), at.form, []));

  return {
    withPasskeyLogin,
    async begin(at, first) {
      const { request, response, interaction } = at;
      const account = await accounts.find(first.username);
      if (account?.isActive !== true) return expired(at);
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
      if (login.passed === undefined) send(at, await factorPage(at, login));
      else showPassed(at);
      return true;
    },
    async submit(at, decision, body) {
      const credential = body.get('credential') ?? '';
      if (decision === 'passkey-login') return logInByPasskey(at, credential);
      const login = await pendingOf(at.interaction);
      if (login === undefined) return expired(at);
      const code = (body.get('code') ?? '').slice(0, 100);
      switch (decision) {
        case 'code':
          return login.passed === undefined ? checkCode(at, login, code) : expired(at);
        case 'enrol':
          return login.passed === undefined ? enrol(at, login, code) : showPassed(at);
        case 'passkey':
          return login.passed === undefined ? checkPasskey(at, login, credential) : expired(at);
        case 'enrol-passkey':
          return login.passed === undefined ? enrolPasskey(at, login, credential) : showPassed(at);
        case 'continue':
          return login.passed === undefined ? expired(at) : finish(at, login, login.passed);
        case 'restart':
          await pending.remove(at.interaction.id);
          return goOn(at.response, `${at.interaction.pageAddress}&restart=true`);
        default:
          return decision satisfies never;
      }
    },
  };
}

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
