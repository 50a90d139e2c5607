import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { ClientRegistry } from '../clients/client.ts';
import type { Consents } from '../consents/consents.ts';
import type { LoginSessions } from '../sessions/login-sessions.ts';
import { splitScope } from '../tokens/token-request.ts';
import { hasValidLogin } from './login-policy.ts';

export interface ExistingGrantDeps {
  readonly clients: ClientRegistry;
  readonly consents: Pick<Consents, 'covers' | 'remember'>;
  readonly loginSessions: Pick<LoginSessions, 'isValid'>;
}

/**
 * The grant of the consent page; for a client whose scopes the user has allowed before a new grant of the requested
 * scopes. A client that needs no consent gets one, too, after a login for it, or if the user has used it before:
 * otherwise the page names the client, since nobody has seen where the login goes.
 */
export async function existingGrant(
  context: KoaContextWithOIDC,
  { clients, consents, loginSessions }: ExistingGrantDeps,
): Promise<InstanceType<Provider['Grant']> | undefined> {
  const { client, session, result, provider, params } = context.oidc;
  const given = result?.consent?.grantId;
  if (given !== undefined) return provider.Grant.find(given);
  if (client === undefined || session?.accountId === undefined) return undefined;
  // Before the login there is no user to grant anything: the account of the cookie may be that of a former login.
  if (result?.login === undefined && !(await hasValidLogin(context, loginSessions))) return undefined;
  const scope = typeof params?.['scope'] === 'string' ? params['scope'] : '';
  const { clientId } = client;
  const needsConsent = clients.find(clientId)?.asksForConsent !== false;
  if (!needsConsent && result?.login !== undefined) await consents.remember(session.accountId, clientId, []);
  else if (!(await consents.covers(session.accountId, clientId, needsConsent ? splitScope(scope) : [])))
    return undefined;
  const grant = new provider.Grant({ accountId: session.accountId, clientId });
  grant.addOIDCScope(scope);
  await grant.save();
  return grant;
}
