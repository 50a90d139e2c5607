import type { Logger } from '@lintel/telemetry';

/** What the driver reports where a new connection ended before it was usable. */
const ENDED = /^Connection terminated/;

/** Logs once that the server of a pool is lost, and once that it is back, however many connections and requests it has. */
export class OutageLog {
  private readonly pool: string;
  private readonly logger: Pick<Logger, 'info' | 'warn'> | undefined;
  private isLossLogged = false;
  private isAway = false;

  /** @param pool its name in the metrics */
  constructor(pool: string, logger: Pick<Logger, 'info' | 'warn'> | undefined) {
    this.pool = pool;
    this.logger = logger;
  }

  /** A connection ended that no statement used. */
  lost(err: Error): void {
    if (this.isLossLogged || this.isAway) return;
    this.isLossLogged = true;
    this.logger?.warn({ err, pool: this.pool }, 'Idle database connections were lost');
  }

  /** No connection could be opened. Errors of callers who waited for one in use are ignored: they have no code. */
  failed(err: Error & { readonly code?: string }): void {
    if (this.isAway || (err.code === undefined && !ENDED.test(err.message))) return;
    this.isAway = true;
    this.logger?.warn({ err, pool: this.pool }, 'The database cannot be reached');
  }

  /** A connection was opened. */
  connected(): void {
    if (this.isAway) this.logger?.info({ pool: this.pool }, 'The database can be reached again');
    this.isAway = false;
    this.isLossLogged = false;
  }
}
