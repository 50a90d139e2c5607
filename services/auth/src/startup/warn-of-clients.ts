import type { Logger } from '@lintel/telemetry';
import type { ClientRegistry } from '../clients/client.ts';
import type { GrantType } from '../clients/client-settings.ts';
import { clientMetadataSchema } from '../clients/stored/client-metadata.ts';
import { isFirstParty } from '../clients/stored/client-trust.ts';
import type { StoredClients } from '../clients/stored/stored-clients.ts';

/** Logs what the compatible profile allows for older clients (RFC 9700 §§2.1.1, 2.4). */
export function warnOfLeniency(clients: ClientRegistry, logger: Logger): void {
  const having = (grant: GrantType): string =>
    clients
      .all()
      .filter(({ grantTypes, isPublic }) => grantTypes.has(grant) && !isPublic)
      .map(({ clientId }) => clientId)
      .join(', ');
  const [password, code] = [having('password'), having('authorization_code')];
  if (password !== '') logger.warn({ clients: password }, 'compatible profile: clients may use the password grant');
  if (code !== '') logger.warn({ clients: code }, 'compatible profile: codes need no PKCE');
}

/** Logs clients without the scope of the API: the API refuses their tokens. */
export function warnOfScopes(clients: ClientRegistry, apiScope: string, logger: Logger): void {
  const without = clients.all().filter(({ scopes }) => !scopes.includes(apiScope));
  if (without.length > 0)
    logger.warn(
      { clients: without.map(({ clientId }) => clientId).join(', '), scope: apiScope },
      'tokens of these clients have not the scope of the API',
    );
}

/** Logs clients of the database that get codes of logged-in users without asking for consent. */
export function warnOfFirstParty({ stored }: Pick<StoredClients, 'stored'>, logger: Logger): void {
  const firstParty = stored().filter(({ metadata }) => {
    const known = clientMetadataSchema.safeParse(metadata);
    return known.success && isFirstParty(known.data);
  });
  if (firstParty.length > 0)
    logger.warn(
      { clients: firstParty.map(({ clientId }) => clientId).join(', ') },
      'clients of the database need no consent of their users: set requireAuthorizationConsent, unless they are your own',
    );
}

/** Logs clients of the database that are not used, because the configuration has one of the same id. */
export function warnOfShadowed(
  { clients, storedClients }: { readonly clients: ClientRegistry; readonly storedClients: StoredClients },
  logger: Logger,
): void {
  const shadowed = storedClients.stored().filter(({ clientId }) => clients.isConfigured(clientId));
  if (shadowed.length > 0)
    logger.warn(
      { clients: shadowed.map(({ clientId }) => clientId).join(', ') },
      'the configuration has clients of the same id, which are used instead of those of the database',
    );
}
