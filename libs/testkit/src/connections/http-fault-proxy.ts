import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a request on its way to the server. */
export type HttpFault =
  /** The server never gets the request; this is the response. */
  | { readonly kind: 'response'; readonly status: number; readonly body?: string }
  /** The server never gets the request, and there is no response. */
  | { readonly kind: 'silence' }
  /** The connection breaks within the request's body, or, where it has none, at once. */
  | { readonly kind: 'cut request' }
  /** The server handles the request; the connection breaks after so many bytes of the response body. */
  | { readonly kind: 'cut response'; readonly afterBytes: number }
  /** The server sees it later. */
  | { readonly kind: 'delay'; readonly milliseconds: number };

export interface PassingRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
}

/** A wire for HTTP that a test can disturb, request by request. */
export interface HttpFaultProxy {
  readonly port: number;
  /** Decides for each request from now on; undefined lets it pass. Without an argument all pass. */
  disturb(faultOf?: (request: PassingRequest) => HttpFault | undefined): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free loopback port in front of an HTTP server; heads go on as they are. */
export async function startHttpFaultProxy(target: {
  readonly host?: string;
  readonly port: number;
}): Promise<HttpFaultProxy> {
  let faultOf: (request: PassingRequest) => HttpFault | undefined = () => undefined;
  const forward = (incoming: IncomingMessage, response: ServerResponse, cutAfterBytes?: number): void => {
    const { method, url: path, headers } = incoming;
    const onward = request({
      host: target.host ?? '127.0.0.1',
      port: target.port,
      method,
      path,
      headers,
      agent: false,
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.on('response', (upstreamResponse) => {
      response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.rawHeaders);
      if (cutAfterBytes === undefined) upstreamResponse.pipe(response);
      else cutAfter(upstreamResponse, response, cutAfterBytes);
    });
    incoming.pipe(onward);
  };
  const server = createServer((incoming, response) => {
    const fault = faultOf({ method: incoming.method ?? '', url: incoming.url ?? '' });
    switch (fault?.kind) {
      case undefined:
        return forward(incoming, response);
      case 'response':
        incoming.resume().once('end', () => response.writeHead(fault.status).end(fault.body));
        return;
      case 'silence':
        incoming.resume();
        return;
      case 'cut request':
        incoming.once('data', () => incoming.socket.resetAndDestroy());
        incoming.once('end', () => incoming.socket.destroy());
        return;
      case 'cut response':
        return forward(incoming, response, fault.afterBytes);
      case 'delay':
        setTimeout(forward, fault.milliseconds, incoming, response);
        return;
      default:
        throw new Error(`unknown fault ${JSON.stringify(fault satisfies never)}`);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    disturb: (decide = () => undefined) => {
      faultOf = decide;
    },
    close: () => closeServer(server),
  };
}

function cutAfter(upstreamResponse: IncomingMessage, response: ServerResponse, bytes: number): void {
  let rest = bytes;
  const cut = (): void => {
    response.destroy();
    upstreamResponse.destroy();
  };
  upstreamResponse.on('data', (piece: Buffer) => {
    const taken = piece.subarray(0, rest);
    rest -= taken.length;
    response.write(taken, () => {
      if (rest === 0) cut();
    });
  });
  upstreamResponse.on('end', cut);
}

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
