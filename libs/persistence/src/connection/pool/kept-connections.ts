import type { Connection } from '../statements/submit-statement.ts';

/** Each connection goes back to the driver's pool once in this time, if it is used. */
const ROUND_MS = 1_000;

/** Whether the driver can send statements; it sets the property to false when a connection is lost. */
const isUsable = (connection: Connection): boolean =>
  (connection as unknown as { readonly _queryable: boolean })._queryable;

/**
 * Keeps connections between two statements. Taking a connection from the driver's pool and giving it back creates two
 * timers and waits for the next step of the event loop. The pool closes idle and old connections, so each connection goes
 * back to it at the latest a second after its last use, and once a second while it is in use.
 */
export class KeptConnections {
  readonly #kept: Connection[] = [];
  /** The round in which a connection was last given back to the pool. */
  readonly #givenBackIn = new WeakMap<Connection, number>();
  #round = 0;
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => {
      this.#round += 1;
      this.#giveBackAll();
    }, ROUND_MS);
    this.#timer.unref();
  }

  get size(): number {
    return this.#kept.length;
  }

  /** The connection that was used last; undefined if none is kept. */
  take(): Connection | undefined {
    return this.#kept.pop();
  }

  /** Returns false if the connection must go back to the pool now. */
  keep(connection: Connection): boolean {
    if (!isUsable(connection)) return false;
    if (this.#givenBackIn.get(connection) !== this.#round) {
      this.#givenBackIn.set(connection, this.#round);
      return false;
    }
    this.#kept.push(connection);
    return true;
  }

  /** Removes a connection that was lost. Returns false if it is not kept. */
  remove(connection: Connection): boolean {
    const at = this.#kept.indexOf(connection);
    if (at < 0) return false;
    this.#kept.splice(at, 1);
    connection.release(true);
    return true;
  }

  #giveBackAll(): void {
    for (const connection of this.#kept.splice(0)) connection.release();
  }

  /** Gives all connections back, and keeps none from now on. */
  close(): void {
    clearInterval(this.#timer);
    this.#giveBackAll();
  }
}
