import { Pool, type PoolClient, type PoolConfig } from 'pg';

/** Every statement here takes no time; without a response in this time the database counts as unavailable. */
const RESPONSE_TIMEOUT_MS = 5_000;
/**
 * Callers check which servers and connections are alive; a control connection that does not respond must not delay
 * them.
 */
const QUERY_TIMEOUT_MS = 2_000;

/** `is_own` shows whether the connection leads to the server itself: a pooler reports process ids of its own. */
const KNOWN_BACKENDS = `SELECT pid, pid = pg_backend_pid() AS is_own FROM pg_stat_activity WHERE pid = ANY ($1::int[])`;

/**
 * A second connection to a database. It cancels statements of the other connections and checks whether the database
 * is available, also while all other connections are in use. It is opened when it is first needed and closed when idle.
 */
export class ControlConnection {
  private readonly pool: Pool;

  constructor(config: PoolConfig, onLost: (error: Error) => void) {
    this.pool = new Pool({
      ...config,
      max: 1,
      application_name: `${config.application_name ?? 'lintel'} (control)`,
      query_timeout: RESPONSE_TIMEOUT_MS,
    });
    this.pool.on('error', onLost);
    this.pool.on('connect', (client) => client.on('error', ignoreLoss));
  }

  /** Cancels the statement that the backend runs. Returns whether the request could be sent. */
  async cancel(backendPid: number): Promise<boolean> {
    try {
      await this.pool.query('SELECT pg_cancel_backend($1)', [backendPid]);
      return true;
    } catch {
      // The caller closes the connection instead, which ends the statement too.
      return false;
    }
  }

  /**
   * Returns those of the backends that the current server has. Undefined if the server cannot be queried, or if a
   * pooler is in between, since its process ids are its own.
   */
  async knownBackends(pids: readonly number[]): Promise<ReadonlySet<number> | undefined> {
    try {
      return await this.use(async (client) => {
        const own = (client as { readonly processID?: number }).processID ?? 0;
        const rows = await rowsInTime<{ pid: number; is_own: boolean }>(client, KNOWN_BACKENDS, [[...pids, own]]);
        return rows.some((row) => row.is_own && row.pid === own) ? new Set(rows.map(({ pid }) => pid)) : undefined;
      });
    } catch {
      // The next check queries again.
      return undefined;
    }
  }

  /**
   * Returns the rows of a statement; rejects with the driver's error, also where there is no response within seconds.
   */
  query<R extends object>(text: string): Promise<readonly R[]> {
    return this.use((client) => rowsInTime<R>(client, text, []));
  }

  /** Closes the connection if the work fails. */
  private async use<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let failure: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }

  /** Runs a statement whose result is not used. */
  async run(text: string): Promise<void> {
    await this.pool.query(text);
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}

async function rowsInTime<R extends object>(
  client: PoolClient,
  text: string,
  values: unknown[],
): Promise<readonly R[]> {
  // The driver's type lacks `query_timeout` of a single statement.
  const statement = { text, values, query_timeout: QUERY_TIMEOUT_MS };
  return (await client.query<R>(statement)).rows;
}

/** A lost connection is reported through the statement that runs on it, or by the pool when none does. */
export const ignoreLoss = (): void => {};
