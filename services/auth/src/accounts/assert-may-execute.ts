import { ConfigurationError } from '@lintel/config';
import type { Database } from '@lintel/persistence';

/**
 * Checks at the start that the login of auth may execute a function of the role `lintel_federation`.
 *
 * @throws ConfigurationError with the problem
 */
export async function assertMayExecute(
  database: Pick<Database, 'query'>,
  signature: string,
  problem: string,
): Promise<void> {
  const [row] = await database.query<{ readonly may: boolean }>({
    text: `SELECT has_function_privilege($1, 'EXECUTE') AS may`,
    values: [signature],
  });
  if (row?.may !== true) throw new ConfigurationError([`${problem} (GRANT lintel_federation TO …)`]);
}

/** The function that creates users and assigns roles from the outside. */
export const FOLLOW_ROLES = 'sec.follow_federated_roles(text, text, text[], text[])';
