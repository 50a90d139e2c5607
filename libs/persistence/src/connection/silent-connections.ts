import type { Logger } from '@lintel/telemetry';
import type { ControlConnection } from './control-connection.ts';
import type { Connection } from './submit-statement.ts';

const LOOK_INTERVAL_MS = 1_000;
/** A connection that is in use for so many looks is asked about; most statements take a thousandth of it. */
const SILENT_LOOKS = 3;

/**
 * Finds connections whose server is gone without a sign: a host that lost its power, a failover behind an address
 * that only leads elsewhere. Their statements would wait for answers until the network gives up, long after a new
 * server is there. So whenever a connection is in use for seconds, the control connection asks the server that is
 * there now which of our connections it knows; the others are closed, and what runs on them is told so.
 *
 * A connection that is only slow is known to its server and left alone.
 */
export class SilentConnections {
  private readonly control: ControlConnection;
  private readonly logger: Pick<Logger, 'warn'> | undefined;
  /** All connections of the pool, and since which look they are in use; undefined for those that are not. */
  private readonly usedSince = new Map<Connection, number | undefined>();
  /** Counts the looks: cheaper than a clock for what happens with every statement. */
  private looks = 0;
  private readonly timer: NodeJS.Timeout;
  private looking = false;

  constructor(control: ControlConnection, logger: Pick<Logger, 'warn'> | undefined) {
    this.control = control;
    this.logger = logger;
    this.timer = setInterval(() => void this.look(), LOOK_INTERVAL_MS);
    this.timer.unref();
  }

  made(connection: Connection): void {
    this.usedSince.set(connection, undefined);
  }

  removed(connection: Connection): void {
    this.usedSince.delete(connection);
  }

  taken(connection: Connection): void {
    this.usedSince.set(connection, this.looks);
  }

  givenBack(connection: Connection): void {
    if (this.usedSince.has(connection)) this.usedSince.set(connection, undefined);
  }

  /** Closes all connections, whatever runs on them. */
  dropAll(): void {
    for (const connection of [...this.usedSince.keys()]) this.drop(connection);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    this.looks += 1;
    const isSilent = [...this.usedSince.values()].some(
      (since) => since !== undefined && this.looks - since > SILENT_LOOKS,
    );
    if (!isSilent || this.looking) return;
    this.looking = true;
    // Those that were idle at the time of the failover are as dead.
    const asked = [...this.usedSince.keys()].filter(({ processID }) => processID !== undefined);
    const known = await this.control.knownBackends(asked.map(({ processID }) => processID ?? 0));
    this.looking = false;
    // Without an answer nothing is known of them.
    if (known === undefined) return;
    for (const connection of asked) {
      if (!this.usedSince.has(connection)) continue;
      if (known.has(connection.processID ?? 0)) {
        this.wait(connection);
        continue;
      }
      this.logger?.warn({ backend: connection.processID }, 'The database does not know a connection any more');
      this.drop(connection);
    }
  }

  /** It is asked about again after as long. */
  private wait(connection: Connection): void {
    if (this.usedSince.get(connection) !== undefined) this.usedSince.set(connection, this.looks);
  }

  private drop(connection: Connection): void {
    this.usedSince.delete(connection);
    connection.connection.stream.destroy();
  }
}
