import { Pool, type PoolConfig } from 'pg';

/** Every statement here is instant; one that is not answered means that the database is away. */
const ANSWER_TIMEOUT_MS = 5_000;

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
