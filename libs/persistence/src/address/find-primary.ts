import pg from 'pg';

/** Maximum wait for one server, shorter than the wait for a connection of a pool. */
const PROBE_TIMEOUT_MS = 2_000;

/** A server that follows another one, or that takes no changes, is not the primary. */
const IS_PRIMARY = `SELECT NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off' AS primary`;

/** No server of an address is the primary; its SQLSTATE is that of a server that cannot be used now. */
class NoPrimaryError extends Error {
  readonly code = '57P03';
}

/**
 * Returns the server that takes changes: the one that took them last, without a request to the others, or the first that
 * responds as such.
 *
 * @throws Error if there is none; the cause has the error of each server
 */
export async function findPrimary(servers: readonly string[], last: string, password: unknown): Promise<string> {
  try {
    return await assertPrimary(last, password);
  } catch (cause) {
    const others = servers.filter((server) => server !== last);
    try {
      return await Promise.any(others.map((server) => assertPrimary(server, password)));
    } catch (error) {
      const causes = [cause, ...(error as AggregateError).errors];
      const reasons = causes.map((each) => (each as Error).message).join('; ');
      throw new NoPrimaryError(`No server of the database is the primary: ${reasons}`, { cause });
    }
  }
}

async function assertPrimary(server: string, password: unknown): Promise<string> {
  const client = new pg.Client({
    connectionString: server,
    application_name: 'lintel (primary)',
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  });
  if (typeof password === 'string') client.password = password;
  // A connection that is lost while it is used rejects its statement as well.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ primary: boolean }>(IS_PRIMARY);
    if (rows[0]?.primary !== true) throw new Error(`${client.host}:${client.port} is not the primary`);
    return server;
  } finally {
    client.end().catch(() => {});
  }
}
