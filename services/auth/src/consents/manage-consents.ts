import type { EndConsentRequest } from '@lintel/contracts';
import type { SecurityLog } from '@lintel/telemetry';
import type { ClientRegistry } from '../clients/client.ts';
import type { LoginStore } from '../sessions/login.ts';
import type { SessionService } from '../sessions/session-service.ts';
import type { Consents } from './consents.ts';

export interface ManageConsentsDeps {
  readonly consents: Pick<Consents, 'ofUser' | 'end'>;
  readonly clients: Pick<ClientRegistry, 'find'>;
  readonly logins: Pick<LoginStore, 'ofUser'>;
  readonly sessions: Pick<SessionService, 'endLogins'>;
  readonly security: SecurityLog;
}

/** A consent as the API returns it. */
export interface ConsentView {
  readonly clientId: string;
  /** What pages call the client; its id if it is not registered any more. */
  readonly clientName: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string;
}

/** What a user has allowed clients, by client. */
export async function listConsents(
  username: string,
  { consents, clients }: ManageConsentsDeps,
): Promise<readonly ConsentView[]> {
  const found = await consents.ofUser(username);
  return found.map((consent) => ({
    ...consent,
    clientName: clients.find(consent.clientId)?.name ?? consent.clientId,
  }));
}

/** Ends the consent of a user to a client, and what the client has got by it. False if there is none. */
export async function endConsent(
  { username, clientId, by }: EndConsentRequest,
  { consents, logins, sessions, security }: ManageConsentsDeps,
): Promise<boolean> {
  // First the consent: otherwise the client could get new tokens by it.
  if (!(await consents.end(username, clientId))) return false;
  const reason = by === username ? 'ended by the user' : 'ended by an administrator';
  security.record('consent.ended', { username, clientId, reason });
  const ended = (await logins.ofUser(username)).filter((login) => login.clientId === clientId);
  if (ended.length > 0) await sessions.endLogins(username, ended, 'consent ended');
  return true;
}
