import { setTimeout as sleep } from 'node:timers/promises';
import { isPlatformError, StartError } from '@lintel/errors';
import type { Database } from '@lintel/persistence';
import type { Logger } from '@lintel/telemetry';

const INTERVAL_MS = 500;
const DEADLINE_MS = 180_000;

/**
 * Waits until the data service has migrated the database, since processes start in any order.
 *
 * @throws StartError if the tables are still missing after three minutes
 */
export async function waitForSchema(database: Database, logger: Logger): Promise<void> {
  const attempts = DEADLINE_MS / INTERVAL_MS;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await hasSchema(database)) return;
    if (attempt === 0) logger.info({}, 'waiting for the migrations of the database');
    await sleep(INTERVAL_MS);
  }
  throw new StartError(
    'The tables of the schema auth are missing: start the data service, which creates them, or run "lintel migrate run"',
  );
}

async function hasSchema(database: Database): Promise<boolean> {
  try {
    const [row] = await database.query<{ readonly there: boolean }>({
      text: `SELECT to_regclass('auth.signing_key') IS NOT NULL AND to_regclass('auth.federated_login') IS NOT NULL
          AND to_regclass('auth.login_attempt') IS NOT NULL AND to_regclass('auth.second_factor') IS NOT NULL
          AND to_regclass('auth.password_reset') IS NOT NULL
          AND to_regprocedure('sec.change_password(uuid,text,text,text)') IS NOT NULL
          AND to_regclass('auth.client') IS NOT NULL AND to_regclass('auth.api_key') IS NOT NULL
          AND to_regclass('auth.scim_user') IS NOT NULL AND to_regclass('auth.security_event') IS NOT NULL
          AND to_regprocedure('sec.follow_provisioned_roles(text[],jsonb,text)') IS NOT NULL
          AND to_regprocedure('sec.replace_password_hash(uuid,text,text)') IS NOT NULL
          AND to_regprocedure('sec.release_name(text)') IS NOT NULL AS there`,
      values: [],
    });
    return row?.there === true;
  } catch (error) {
    if (isPlatformError(error) && error.retryable) return false;
    throw error;
  }
}
