import pg from 'pg';

const TIMEOUT_MS = 2_000;

/** The part of a client that a cancel request uses. */
interface Cancellable {
  readonly host: string;
  readonly port: number;
  readonly ssl: unknown;
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/** The driver's protocol object; its type lacks the messages. */
interface Wire {
  readonly stream: { destroy(): void };
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
  on(event: string, listener: () => void): void;
}

const WireOf = pg.Connection as unknown as new (config: { readonly ssl: unknown }) => Wire;

/**
 * Sends a cancel request of the protocol over a connection of its own, encrypted where the client is. A pooler forwards
 * it to the session that runs the statement of the client; `pg_cancel_backend` would need the process id of that
 * session, which the pooler hides. Returns whether the request was processed: the server then closes the connection.
 */
export function sendCancelRequest(client: unknown): Promise<boolean> {
  const { host, port, ssl, processID, secretKey } = client as Cancellable;
  if (processID === null || secretKey === null) return Promise.resolve(false);
  return new Promise((resolve) => {
    const wire = new WireOf({ ssl });
    let isSent = false;
    const end = (isProcessed: boolean): void => {
      clearTimeout(timer);
      wire.stream.destroy();
      resolve(isProcessed);
    };
    const timer = setTimeout(() => end(false), TIMEOUT_MS);
    const send = (): void => {
      isSent = true;
      wire.cancel(processID, secretKey);
    };
    wire.on('connect', ssl ? () => wire.requestSsl() : send);
    wire.on('sslconnect', send);
    wire.on('error', () => end(isSent));
    wire.on('end', () => end(isSent));
    if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`);
    else wire.connect(port, host);
  });
}
