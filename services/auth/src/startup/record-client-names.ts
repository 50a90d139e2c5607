import { ConfigurationError } from '@lintel/config';
import type { Database } from '@lintel/persistence';
import type { Logger } from '@lintel/telemetry';
import type { ClientRegistry } from '../clients/client.ts';

const RECORD = `WITH ended AS (DELETE FROM auth.configured_client WHERE client_id <> ALL ($1::text[])),
added AS (
  INSERT INTO auth.configured_client (client_id) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING RETURNING client_id
)
SELECT a.client_id AS id, EXISTS (SELECT FROM auth.configured_client) AS "isLater"
FROM added AS a JOIN sec."user" AS u ON sec.name_key(u.username) = sec.name_key(a.client_id) ORDER BY 1`;

/**
 * Writes the ids of the clients of the configuration for the database, which refuses them as names of users.
 *
 * @throws ConfigurationError if a client was added that has the name of a user; at the first start it is logged instead
 */
export async function recordClientNames(
  { database, clients }: { readonly database: Database; readonly clients: Pick<ClientRegistry, 'configured'> },
  logger: Logger,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const values = [clients.configured().map(({ clientId }) => clientId)];
    const rows = await transaction.query<{ readonly id: string; readonly isLater: boolean }>({ text: RECORD, values });
    const [first] = rows;
    if (first === undefined) return;
    const ids = rows.map(({ id }) => id).join(', ');
    if (first.isLater) throw new ConfigurationError([`svc.authserver.client: ${ids}: the name of a user`]);
    logger.warn({ clients: ids }, 'clients have the names of users');
  });
}
