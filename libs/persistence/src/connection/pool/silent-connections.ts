import type { Logger } from '@lintel/telemetry';
import type { Connection } from '../statements/submit-statement.ts';
import type { ControlConnection } from './control-connection.ts';

const CHECK_INTERVAL_MS = 1_000;
/** Connections in use for more checks than this are verified; most statements take a thousandth of that time. */
const SILENT_CHECKS = 3;

/**
 * Detects connections whose server has gone without closing them: a host lost its power, or an address leads to another
 * server after a failover. Their statements would wait until the network times out, long after a new server is
 * available. So when a connection is in use for seconds, the control connection asks the current server which of our
 * connections it has; the others are closed, and the statements that run on them fail.
 *
 * A slow connection is known to its server and stays open.
 */
export class SilentConnections {
  private readonly control: ControlConnection;
  private readonly logger: Pick<Logger, 'warn'> | undefined;
  /** All connections of the pool, with the number of the check since which they are in use; undefined for idle ones. */
  private readonly usedSince = new Map<Connection, number | undefined>();
  /** Counts the checks; used as the clock, which would be expensive to read for every statement. */
  private checks = 0;
  private readonly timer: NodeJS.Timeout;
  private isChecking = false;

  constructor(control: ControlConnection, logger: Pick<Logger, 'warn'> | undefined) {
    this.control = control;
    this.logger = logger;
    this.timer = setInterval(() => void this.check(), CHECK_INTERVAL_MS);
    this.timer.unref();
  }

  made(connection: Connection): void {
    this.usedSince.set(connection, undefined);
  }

  removed(connection: Connection): void {
    this.usedSince.delete(connection);
  }

  taken(connection: Connection): void {
    this.usedSince.set(connection, this.checks);
  }

  givenBack(connection: Connection): void {
    if (this.usedSince.has(connection)) this.usedSince.set(connection, undefined);
  }

  /** Closes all connections, also those in use. */
  dropAll(): void {
    for (const connection of [...this.usedSince.keys()]) this.drop(connection);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async check(): Promise<void> {
    this.checks += 1;
    const isSilent = [...this.usedSince.values()].some(
      (since) => since !== undefined && this.checks - since > SILENT_CHECKS,
    );
    if (!isSilent || this.isChecking) return;
    this.isChecking = true;
    // Connections that were idle at the time of the failover are lost as well.
    const connections = [...this.usedSince.keys()].filter(({ processID }) => processID !== undefined);
    const known = await this.control.knownBackends(connections.map(({ processID }) => processID ?? 0));
    this.isChecking = false;
    // The server could not be queried.
    if (known === undefined) return;
    for (const connection of connections) {
      if (!this.usedSince.has(connection)) continue;
      if (known.has(connection.processID ?? 0)) {
        this.restartWait(connection);
        continue;
      }
      this.logger?.warn({ backend: connection.processID }, 'The database does not know a connection any more');
      this.drop(connection);
    }
  }

  /** The connection is verified again after the same time. */
  private restartWait(connection: Connection): void {
    if (this.usedSince.get(connection) !== undefined) this.usedSince.set(connection, this.checks);
  }

  private drop(connection: Connection): void {
    this.usedSince.delete(connection);
    connection.connection.stream.destroy();
  }
}
