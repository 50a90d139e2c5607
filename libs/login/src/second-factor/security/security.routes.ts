import { createHmac, randomBytes } from 'node:crypto';
import { ACR_TWO_FACTORS, isVisibleName } from '@lintel/contracts';
import { clientAddressOf, isSameSecret, isSufficient } from '@lintel/http';
import type { Clock } from '@lintel/timing';
import type { Request, Response, Router } from 'express';
import type { BrowserLogin, Interactions } from '../../interactions.ts';
import type { Account, AccountDirectory } from '../../login-ports.ts';
import { DECISION_FIELD, expiredPage, type Page } from '../../pages/pages.ts';
import type { FormReceiver } from '../../pages/receive-form.ts';
import { pageContextOf, sendPage } from '../../pages/send-page.ts';
import type { SecurityProblem } from '../../texts/texts.ts';
import type { FactorAdministration } from '../factors/factor-administration.ts';
import type { OwnFactors } from '../factors/own-factors.ts';
import type { Passkeys } from '../passkeys/create-passkeys.ts';
import { loginAgainPage, newCodesPage, SECURITY_PATH, securityPage } from './security-page.ts';

export interface SecurityRoutesDeps {
  readonly interactions: () => Pick<Interactions, 'browserLogin'>;
  readonly accounts: Pick<AccountDirectory, 'find'>;
  readonly administration: FactorAdministration;
  readonly own: OwnFactors;
  readonly passkeys: Passkeys | undefined;
  readonly forms: FormReceiver;
  /** The same in all replicas; signs the forms. */
  readonly secret: string;
  readonly clock: Clock;
}

const MAX_FORM_BYTES = 16 * 1024;
/** How old the login of a browser may be. */
const MAX_AGE_SECONDS = 600;

/** A user at this page, in a browser whose login is new and strong enough. */
interface Visit {
  readonly account: Account;
  readonly login: BrowserLogin;
  readonly request: Request;
  readonly response: Response;
}

/** Routes of the page on which users change their second factors. */
export function registerSecurityRoutes(router: Router, deps: SecurityRoutesDeps): void {
  router.get(SECURITY_PATH, async (request, response) => {
    const visit = await visitOf(request, response, deps);
    sendPage(response, visit === undefined ? loginAgainPage(pageContextOf(request)) : await viewOf(visit, deps));
  });
  router.post(SECURITY_PATH, async (request, response) => {
    const body = new URLSearchParams((await deps.forms.receive(request, MAX_FORM_BYTES)).toString('utf8'));
    const visit = await visitOf(request, response, deps);
    if (visit === undefined) return sendPage(response, loginAgainPage(pageContextOf(request)));
    if (!isSameSecret(body.get('proof') ?? '', proofOf(visit, deps)))
      return sendPage(response, expiredPage(pageContextOf(request)));
    sendPage(response, await change(visit, body, deps));
  });
}

async function visitOf(request: Request, response: Response, deps: SecurityRoutesDeps): Promise<Visit | undefined> {
  const login = await deps.interactions().browserLogin(request, response);
  const account = login === undefined ? undefined : await deps.accounts.find(login.username);
  if (login === undefined || account?.isActive !== true) return undefined;
  const { factors } = await deps.administration.list(account.username);
  const acr = factors.length > 0 ? ACR_TWO_FACTORS : undefined;
  const isEnough = isSufficient(login, { acr, maxAgeSeconds: MAX_AGE_SECONDS }, deps.clock.now());
  return isEnough ? { account, login, request, response } : undefined;
}

const proofOf = ({ login }: Visit, { secret }: SecurityRoutesDeps): string =>
  createHmac('sha256', secret).update(`security form ${login.uid}`).digest('base64url');

const userOf = ({ account, request }: Visit) => ({
  id: account.id,
  username: account.username,
  address: clientAddressOf(request),
});

/** Registrations of this browser and page. */
const bindingOf = ({ login }: Visit, nonce: string): string => `security ${login.uid} ${nonce}`;

async function viewOf(visit: Visit, deps: SecurityRoutesDeps, problem?: SecurityProblem): Promise<Page> {
  const { username } = visit.account;
  const nonce = randomBytes(16).toString('base64url');
  const [known, offer, options] = await Promise.all([
    deps.administration.list(username),
    deps.administration.offer(username),
    deps.passkeys?.registrationOptions(bindingOf(visit, nonce), userOf(visit)),
  ]);
  return securityPage(pageContextOf(visit.request), {
    ...known,
    username,
    proof: proofOf(visit, deps),
    offer,
    passkey: options === undefined ? undefined : { options, nonce },
    problem,
  });
}

/** Makes the change of a form, and returns the page that follows. */
async function change(visit: Visit, body: URLSearchParams, deps: SecurityRoutesDeps): Promise<Page> {
  const { administration } = deps;
  const { username } = visit.account;
  const name = (body.get('name') ?? '').trim();
  const isName = name.length <= 100 && isVisibleName(name);
  switch (body.get(DECISION_FIELD)) {
    case 'remove': {
      const id = body.get('id') ?? '';
      if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
        await administration.remove({ username, id, by: username });
      return viewOf(visit, deps);
    }
    case 'renew-codes': {
      const codes = await administration.renewRecoveryCodes(username);
      return codes === null ? viewOf(visit, deps) : newCodesPage(pageContextOf(visit.request), codes);
    }
    case 'add-app': {
      if (!isName) return viewOf(visit, deps, 'name');
      const code = (body.get('code') ?? '').slice(0, 100);
      const added = await administration.confirm({ username, offer: body.get('offer') ?? '', code, name });
      if (added.outcome === 'added')
        return added.recoveryCodes === undefined
          ? viewOf(visit, deps)
          : newCodesPage(pageContextOf(visit.request), added.recoveryCodes);
      return viewOf(visit, deps, added.outcome === 'too-many' ? 'too-many' : 'wrong-code');
    }
    case 'add-passkey': {
      if (!isName) return viewOf(visit, deps, 'name');
      const isFirst = (await administration.list(username)).factors.length === 0;
      const binding = bindingOf(visit, body.get('nonce') ?? '');
      const isAdded = await deps.passkeys?.register(
        binding,
        userOf(visit),
        body.get('credential') ?? '',
        name,
        'further',
      );
      if (isAdded !== true) return viewOf(visit, deps, 'wrong-passkey');
      return isFirst
        ? newCodesPage(pageContextOf(visit.request), await deps.own.renewRecoveryCodes(userOf(visit)))
        : viewOf(visit, deps);
    }
    default:
      return viewOf(visit, deps);
  }
}
