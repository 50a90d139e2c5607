import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPlatformError } from '@lintel/errors';
import { type Interaction, type Interactions, loginAddress } from '@lintel/login';
import type Provider from 'oidc-provider';
import type { InteractionResults } from 'oidc-provider';
import type { ClientRegistry } from '../clients/client.ts';
import type { Consents } from '../consents/consents.ts';
import type { LoginSessions } from '../sessions/login-sessions.ts';
import { splitScope } from '../tokens/token-request.ts';
import { SECOND_FACTOR_MISSING } from './login-policy.ts';
import type { PendingInteractions } from './pending-interactions.ts';

type Details = Awaited<ReturnType<Provider['interactionDetails']>>;

function hostOf(redirectUri: string): string {
  const { host, protocol } = URL.parse(redirectUri) ?? { host: '', protocol: redirectUri };
  return host || protocol;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export interface InteractionsDeps {
  readonly provider: Provider;
  readonly pending: PendingInteractions;
  readonly loginSessions: Pick<LoginSessions, 'end' | 'isValid'>;
  readonly consents: Pick<Consents, 'remember'>;
  readonly clients: Pick<ClientRegistry, 'find'>;
}

export function createInteractions({
  provider,
  pending,
  loginSessions,
  consents,
  clients,
}: InteractionsDeps): Interactions {
  const finish = (request: IncomingMessage, response: ServerResponse, result: InteractionResults): Promise<string> =>
    provider.interactionResult(request, response, result, { mergeWithLastSubmission: true });
  /** The login of another user in this browser ends; the tokens that came of it stay valid. */
  async function leaveOther(request: IncomingMessage, response: ServerResponse, username: string): Promise<void> {
    const session = await provider.Session.get(provider.createContext(request, response));
    if (session.accountId === undefined || session.accountId === username) return;
    await loginSessions.end(session.uid);
    Object.assign(session, { accountId: undefined, loginTs: undefined, authorizations: undefined });
    await session.persist();
  }
  return {
    async serve(request, work) {
      const { state } = request.query;
      await pending.serve(typeof state === 'string' ? state : undefined, work);
    },
    async find(request, response) {
      const details = await detailsOf(provider, request, response);
      if (details === undefined) return undefined;
      const { uid, prompt, params } = details;
      const clientId = text(params['client_id']);
      return {
        id: uid,
        step: prompt.name === 'consent' ? 'consent' : 'login',
        clientId,
        clientName: (await provider.Client.find(clientId))?.clientName ?? clientId,
        clientHost: hostOf(text(params['redirect_uri'])),
        needsConsent: clients.find(clientId)?.asksForConsent !== false,
        scopes: splitScope(text(params['scope'])),
        redirectUri: text(params['redirect_uri']),
        pageAddress: await loginAddress(uid, pending),
        acrValues: splitScope(text(params['acr_values'])),
        username: details.session?.accountId,
        loggedIn: await loginWithOneFactor(details, loginSessions),
      };
    },
    async acceptLogin(request, response, { username, loginId, acr, amr, isStepUp }) {
      const details = { accountId: username, remember: false, acr, amr: [...amr] };
      // The time of the first factor stays, as does the connection with an identity provider.
      const login = isStepUp
        ? { ...details, isStepUp, ts: await timeOfLogin(provider, request, response) }
        : { ...details, loginId: loginId ?? null };
      const address = await finish(request, response, { login, select_account: {} });
      // Afterwards: the interaction belongs to the former login.
      await leaveOther(request, response, username);
      return address;
    },
    async acceptConsent(request, response) {
      const { params, session } = await provider.interactionDetails(request, response);
      const clientId = text(params['client_id']);
      const scope = text(params['scope']);
      const grant = new provider.Grant({ accountId: session?.accountId, clientId });
      grant.addOIDCScope(scope);
      const allowed = clients.find(clientId)?.asksForConsent === false ? [] : splitScope(scope);
      if (session?.accountId !== undefined) await consents.remember(session.accountId, clientId, allowed);
      return finish(request, response, { consent: { grantId: await grant.save() } });
    },
    async browserLogin(request, response) {
      const session = await provider.Session.get(provider.createContext(request, response));
      const { uid, accountId: username, acr, loginTs: authTime } = session;
      if (username === undefined || !(await loginSessions.isValid(uid, username))) return undefined;
      return { uid, username, acr, authTime };
    },
    deny: (request, response) =>
      finish(request, response, { error: 'access_denied', error_description: 'The person did not agree' }),
  };
}

/** The login of the browser if it is valid, and nothing but its second factor is missing. */
async function loginWithOneFactor(
  { prompt, session }: Details,
  logins: Pick<LoginSessions, 'isValid'>,
): Promise<Interaction['loggedIn']> {
  if (session === undefined || prompt.reasons.some((reason) => reason !== SECOND_FACTOR_MISSING)) return undefined;
  const { accountId, uid, amr = [] } = session;
  return (await logins.isValid(uid, accountId)) ? { username: accountId, methods: amr } : undefined;
}

async function timeOfLogin(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<number | undefined> {
  return (await provider.Session.get(provider.createContext(request, response))).loginTs;
}

/** Undefined without a cookie, and for the cookie of an ended or foreign interaction. */
async function detailsOf(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Details | undefined> {
  try {
    return await provider.interactionDetails(request, response);
  } catch (error) {
    if (isPlatformError(error)) throw error;
    if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
    throw error;
  }
}
