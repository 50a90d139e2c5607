import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A wire between a client and a server that a test can cut. */
export interface TcpProxy {
  readonly port: number;
  /** Connections that are open now. */
  connectionCount(): number;
  /** Breaks every open connection (reset, not a polite end) and keeps accepting new ones. */
  cutConnections(): void;
  /** Breaks every connection and refuses new ones until `restore`. */
  block(): void;
  restore(): void;
  /** Accepts and keeps connections, but holds all bytes back until `restore`: a network that went silent. */
  freeze(): void;
  /** Open connections transfer nothing any more, even when their server ends; new ones are served. */
  abandonConnections(): void;
  /** The server gets bytes that contain the text, but its responses from then on are held until `restore`. */
  holdResponsesAfter(text: string): void;
  /** New connections lead there; open ones stay where they are. */
  retarget(target: { readonly host?: string; readonly port: number }): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free loopback port in front of `host:port`. */
export async function startTcpProxy(first: { readonly host?: string; readonly port: number }): Promise<TcpProxy> {
  let target = first;
  const pairs = new Set<readonly [Socket, Socket]>();
  const abandoned = new Set<readonly [Socket, Socket]>();
  let state: 'open' | 'blocked' | 'frozen' = 'open';
  let heldText: string | undefined;

  const server = createServer((client) => {
    if (state === 'blocked') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ host: target.host ?? '127.0.0.1', port: target.port });
    const pair = [client, upstream] as const;
    pairs.add(pair);
    if (state === 'frozen') for (const socket of pair) socket.pause();
    client.on('data', (chunk: Buffer) => {
      if (heldText !== undefined && chunk.includes(heldText)) upstream.pause();
    });
    forward(client, upstream);
    forward(upstream, client);
    for (const socket of pair) {
      socket.on('error', () => cut(pair));
      socket.on('close', () => cut(pair));
    }
  });
  const cut = (pair: readonly [Socket, Socket]): void => {
    if (!pairs.delete(pair)) return;
    for (const socket of pair) reset(socket);
  };
  const cutAll = (): void => {
    for (const pair of [...pairs]) cut(pair);
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });

  return {
    port: (server.address() as AddressInfo).port,
    connectionCount: () => pairs.size,
    cutConnections: cutAll,
    block: () => {
      state = 'blocked';
      cutAll();
    },
    freeze: () => {
      state = 'frozen';
      for (const pair of pairs) for (const socket of pair) socket.pause();
    },
    abandonConnections: () => {
      for (const pair of pairs) {
        abandoned.add(pair);
        for (const socket of pair) socket.pause();
      }
      pairs.clear();
    },
    restore: () => {
      state = 'open';
      heldText = undefined;
      for (const pair of pairs) for (const socket of pair) socket.resume();
    },
    holdResponsesAfter: (text) => {
      heldText = text;
    },
    retarget: (next) => {
      target = next;
    },
    close: () => {
      cutAll();
      for (const pair of abandoned) for (const socket of pair) reset(socket);
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

/** A socket that is ending cannot be reset any more: Node would keep its handle, and the process would not end. */
function reset(socket: Socket): void {
  if (socket.destroyed) return;
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

function forward(from: Socket, to: Socket): void {
  from.on('data', (chunk: Buffer) => {
    if (to.destroyed || to.write(chunk)) return;
    from.pause();
    to.once('drain', () => from.resume());
  });
  from.on('end', () => {
    if (!to.destroyed) to.end();
  });
}
