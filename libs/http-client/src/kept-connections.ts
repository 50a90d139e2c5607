import { Client, type Dispatcher } from 'undici';

/** Receives the response to a request. */
export type ResponseHandler = Dispatcher.DispatchHandler;
export type ResponseController = Dispatcher.DispatchController;

export interface KeptConnectionsOptions {
  /** Address and port: `http://10.0.0.5:8082`. Without TLS: undici would check the certificate against `Host`. */
  readonly target: string;
  readonly connectTimeoutMs: number;
}

/** A connection for one request at a time; it is opened again if the service has closed it. */
export interface KeptConnection {
  readonly client: Client;
  /** Whether it is open and has served a request before: the service may close it at any moment. */
  isKept: boolean;
}

/** Shorter than the keep-alive of our servers (65 s), so that no request uses a connection that is being closed. */
const IDLE_CONNECTION_MS = 30_000;

/** The kept-alive connections to one address. The caller limits their number. */
export class KeptConnections {
  readonly #options: KeptConnectionsOptions;
  /** The one that was used last is used next, so that those that are not needed are closed. */
  readonly #idle: KeptConnection[] = [];
  readonly #all = new Set<KeptConnection>();
  #isRetired = false;

  constructor(options: KeptConnectionsOptions) {
    this.#options = options;
  }

  take(): KeptConnection {
    return this.#idle.pop() ?? this.#create();
  }

  /** After a complete response. */
  giveBack(connection: KeptConnection): void {
    connection.isKept = true;
    if (this.#isRetired) this.discard(connection);
    else this.#idle.push(connection);
  }

  /** Closes a connection that is in use. */
  discard(connection: KeptConnection): void {
    if (!this.#all.delete(connection)) return;
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    void connection.client.destroy();
  }

  closeIdle(): void {
    for (const connection of this.#idle.splice(0)) this.discard(connection);
  }

  /** Keeps no connection from now on; requests in progress are not affected. */
  retire(): void {
    this.#isRetired = true;
    this.closeIdle();
  }

  close(): void {
    this.retire();
    for (const connection of this.#all) this.discard(connection);
  }

  #create(): KeptConnection {
    const { target, connectTimeoutMs } = this.#options;
    const client = new Client(target, {
      pipelining: 1,
      keepAliveTimeout: IDLE_CONNECTION_MS,
      keepAliveMaxTimeout: IDLE_CONNECTION_MS,
      allowH2: false,
      connect: { timeout: connectTimeoutMs },
    });
    const connection = { client, isKept: false };
    client.on('disconnect', () => {
      connection.isKept = false;
    });
    this.#all.add(connection);
    return connection;
  }
}
