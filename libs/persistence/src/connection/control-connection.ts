import { Pool, type PoolClient, type PoolConfig } from 'pg';

/** Every statement here is instant; one that is not answered means that the database is away. */
const ANSWER_TIMEOUT_MS = 5_000;
/** Those who wait to learn which servers and connections are alive should not wait for a silent one of ours as well. */
const KNOWN_TIMEOUT_MS = 2_000;

/** Whether the connection leads to the server itself: a pooler in between gives out numbers of its own. */
const KNOWN = `SELECT pid, pid = pg_backend_pid() AS is_own FROM pg_stat_activity WHERE pid = ANY ($1::int[])`;

/**
 * The second connection of a database: cancels what runs on the others and answers whether the database
 * is there, however busy the others are. Opened at the first need and closed when idle.
 */
export class ControlConnection {
  private readonly pool: Pool;

  constructor(config: PoolConfig, onLost: (error: Error) => void) {
    this.pool = new Pool({
      ...config,
      max: 1,
      application_name: `${config.application_name ?? 'lintel'} (control)`,
      query_timeout: ANSWER_TIMEOUT_MS,
    });
    this.pool.on('error', onLost);
    this.pool.on('connect', (client) => client.on('error', ignoreLoss));
  }

  /** Cancels the statement that the backend runs. Answers whether the request could be made. */
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
   * Which of the backends the server has that is there now. Undefined where it cannot be asked, and behind a pooler,
   * whose numbers of backends are its own.
   */
  async knownBackends(pids: readonly number[]): Promise<ReadonlySet<number> | undefined> {
    try {
      return await this.use(async (client) => {
        const own = (client as { readonly processID?: number }).processID ?? 0;
        const rows = await rowsInTime<{ pid: number; is_own: boolean }>(client, KNOWN, [[...pids, own]]);
        return rows.some((row) => row.is_own && row.pid === own) ? new Set(rows.map(({ pid }) => pid)) : undefined;
      });
    } catch {
      // Nothing is known then; it is asked again.
      return undefined;
    }
  }

  /** The rows of a statement; rejects with the driver's error, also where there is no answer within seconds. */
  ask<R extends object>(text: string): Promise<readonly R[]> {
    return this.use((client) => rowsInTime<R>(client, text, []));
  }

  /** A connection on which something failed is closed. */
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

  /** Runs a statement that has no result of interest. */
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
  // The type does not know the time limit of a single statement.
  const statement = { text, values, query_timeout: KNOWN_TIMEOUT_MS };
  return (await client.query<R>(statement)).rows;
}

/** A lost connection is reported through the statement that runs on it, or by the pool when none does. */
export const ignoreLoss = (): void => {};
