import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';

/** A request that ends later without a response may have been served. */
const UNSERVED_MS = 1_000;
/** Larger requests end with the process that got them. */
const MAX_KEPT_BYTES = 1_048_576;

const lengthOf = (parts: readonly Buffer[]): number => parts.reduce((sum, { length }) => sum + length, 0);

/** Where connections lead. */
export type Target =
  /** They wait. */
  | { readonly kind: 'waiting' }
  /** To a port of loopback. */
  | { readonly kind: 'running'; readonly port: number }
  /** Each request returns 503 with this text. */
  | { readonly kind: 'failed'; readonly text: string };

/** The listener of the development server: it stays while the processes that serve it are replaced. */
export interface Front {
  /** @throws the error of the operating system, such as EADDRINUSE */
  listen(port: number, host: string): Promise<void>;
  leadTo(target: Target): void;
  close(): Promise<void>;
}

export function createFront(): Front {
  let target: Target = { kind: 'waiting' };
  const open = new Set<Socket>();
  const waiting = new Set<Socket>();
  const failures = createHttpServer((request, response) => {
    sendFailure(
      request,
      response,
      target.kind === 'failed' ? target.text : 'It is starting again: repeat the request.',
    );
  });

  const receive = (client: Socket): void => {
    if (target.kind === 'waiting') waiting.add(client);
    else if (target.kind === 'failed') {
      failures.emit('connection', client);
      // It was paused while it waited.
      client.resume();
    } else forward(client, target.port);
  };
  const forward = (client: Socket, port: number): void => {
    const upstream = connect(port, '127.0.0.1');
    // What the client has sent since the last bytes that it got; undefined if that is too much to be kept.
    let request: Buffer[] | undefined = [];
    let sentAt = 0;
    const send = (bytes: Buffer): void => {
      sentAt = performance.now();
      request?.push(bytes);
      if (request !== undefined && lengthOf(request) > MAX_KEPT_BYTES) request = undefined;
      if (!upstream.write(bytes)) client.pause();
    };
    const resumeUpstream = (): void => void upstream.resume();
    upstream.once('connect', () => {
      upstream.on('data', (bytes) => {
        request = [];
        if (!client.write(bytes)) upstream.pause();
      });
      upstream.on('drain', () => client.resume());
      client.on('data', send).on('drain', resumeUpstream);
      client.resume();
    });
    /** The connection goes to the next process: this one has closed it while it was idle, or never got its request. */
    const moveOn = (): void => {
      client.off('data', send).off('drain', resumeUpstream);
      client.pause();
      upstream.destroy();
      const isReplaced = target.kind !== 'running' || target.port !== port;
      // A process that serves a request ends after its response, or is killed seconds later.
      const isUnserved = isReplaced && performance.now() - sentAt < UNSERVED_MS;
      if (client.destroyed || request === undefined || (request.length > 0 && !isUnserved)) client.destroy();
      else {
        if (request.length > 0) client.unshift(Buffer.concat(request));
        if (isReplaced) receive(client);
        else waiting.add(client);
      }
    };
    upstream.once('end', moveOn);
    upstream.once('error', moveOn);
    client.once('close', () => upstream.destroy());
  };
  const server = createServer((client) => {
    open.add(client);
    client.on('error', () => client.destroy());
    client.once('close', () => {
      open.delete(client);
      waiting.delete(client);
    });
    receive(client);
  });
  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          resolve();
        });
      }),
    leadTo(next) {
      target = next;
      if (next.kind === 'waiting') return;
      const all = [...waiting];
      waiting.clear();
      for (const client of all) receive(client);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const client of open) client.destroy();
      }),
  };
}

function sendFailure(request: IncomingMessage, response: ServerResponse, text: string): void {
  const isPage = request.headers.accept?.includes('text/html') === true;
  const body = isPage ? failurePage(text) : JSON.stringify({ error: 'The application does not start', details: text });
  response.writeHead(503, {
    'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(body);
}

const failurePage = (text: string): string =>
  `<!doctype html>
<html lang="en">
<title>The application does not start</title>
<style>body{font:16px/1.5 system-ui;margin:3rem auto;max-width:60rem;padding:0 1rem}pre{white-space:pre-wrap;font:14px/1.5 ui-monospace,monospace}</style>
<h1>The application does not start</h1>
<pre>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>
<p>Correct it and save: the next request is served by the new version.</p>
</html>
`;
