import { Pool, type PoolConfig } from 'pg';

/** Every statement here is instant; one that is not answered means that the database is away. */
const ANSWER_TIMEOUT_MS = 5_000;
/** Those who wait for silent connections should not wait for a silent one of ours as well. */
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
      const client = await this.pool.connect();
      let failure: Error | undefined;
      try {
        const own = (client as { readonly processID?: number }).processID ?? 0;
        // The type does not know the time limit of a single statement.
        const statement = { text: KNOWN, values: [[...pids, own]], query_timeout: KNOWN_TIMEOUT_MS };
        const { rows } = await client.query<{ pid: number; is_own: boolean }>(statement);
        return rows.some((row) => row.is_own && row.pid === own) ? new Set(rows.map(({ pid }) => pid)) : undefined;
      } catch (error) {
        failure = error as Error;
        throw error;
      } finally {
        client.release(failure);
      }
    } catch {
      // Nothing is known then; it is asked again.
      return undefined;
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

/** A lost connection is reported through the statement that runs on it, or by the pool when none does. */
export const ignoreLoss = (): void => {};
