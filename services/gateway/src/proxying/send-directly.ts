import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Transform, Writable } from 'node:stream';
import type { KeptConnection, ResponseController, ResponseHandler } from '@lintel/http-client/kept-connections';
import { isRecorded, TraceSnapshot } from '@lintel/telemetry';
import { hasBody } from '../limits/has-body.ts';
import { bodyTooLarge } from '../limits/limit-request.ts';
import { breakOff, type Exchange, type ExchangeOptions, noteResponse, recover } from './exchange.ts';
import { forwardHead, type ResponseEncoding, sendEncoded } from './forward-response.ts';
import { headersToSend, joinRepeated } from './undici-headers.ts';
import { UpstreamTimeout } from './upstream-error.ts';

export interface DirectOptions extends ExchangeOptions {
  readonly connectTimeoutMs: number;
  readonly encode?: ResponseEncoding;
  readonly maxBodyBytes?: number | undefined;
}

const METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Whether a request can be sent directly: its body, if any, has arrived. */
export const canSendDirectly = (request: IncomingMessage): boolean =>
  METHODS.has(request.method) && (request.complete || !hasBody(request));

/**
 * Sends requests by undici, whose client needs less processor time than that of Node. The body is held in
 * memory, so that a request that has not reached the service can be sent again.
 */
export function createDirectTransport(options: DirectOptions): Exchange['send'] {
  const maxBodyBytes = options.maxBodyBytes ?? Number.POSITIVE_INFINITY;
  return (exchange) => {
    const { request, lease, silenceMs } = exchange;
    exchange.body ??= bodyOf(request);
    if (exchange.body !== null && exchange.body.length > maxBodyBytes)
      return recover(bodyTooLarge(maxBodyBytes), exchange, options);
    const { connections } = lease.replica;
    const connection = connections.take();
    connection.client.dispatch(
      {
        path: request.url ?? '/',
        method: request.method ?? 'GET',
        headers: headersToSend(request.headers, isRecorded()),
        body: exchange.body,
        headersTimeout: silenceMs,
        bodyTimeout: silenceMs,
        // By default a connection is closed after a body of DELETE or GET.
        reset: false,
      },
      new DirectResponse(exchange, connection, options),
    );
    return undefined;
  };
}

export const bodyOf = (request: IncomingMessage): Buffer | null => (hasBody(request) ? request.read() : null);

/** A body up to this size is sent as one text with the head: that takes less time than two buffers. */
const SHORT_BYTES = 2_048;

/** Ends a response with its last piece. In Latin-1 each byte is one character, so none of them changes. */
function endWith(response: ServerResponse, piece: Buffer | string, encoding: BufferEncoding | undefined): void {
  if (typeof piece === 'string') response.end(piece, encoding as BufferEncoding);
  else if (response.headersSent || piece.length > SHORT_BYTES) response.end(piece);
  else response.end(piece.toString('latin1'), 'latin1');
}

/** The client has disconnected. */
class ClientGone extends Error {}

/** Forwards one response as fast as the client reads. */
export class DirectResponse implements ResponseHandler {
  readonly #exchange: Exchange;
  readonly #connection: KeptConnection | undefined;
  readonly #options: DirectOptions;
  /** undici calls back in the asynchronous context of the request that opened the connection. */
  readonly #trace = new TraceSnapshot();
  #controller: Pick<ResponseController, 'abort'> | undefined;
  #encoder: Transform | undefined;
  #hasHead = false;
  #hasEnded = false;
  /** Bytes of the body that have not arrived; undefined if its length is unknown. */
  #missingBytes: number | undefined;

  /** @param connection undefined where the service is in this process */
  constructor(exchange: Exchange, connection: KeptConnection | undefined, options: DirectOptions) {
    this.#exchange = exchange;
    this.#connection = connection;
    this.#options = options;
    exchange.response.on('close', () => {
      if (this.#hasEnded) return;
      if (this.#controller !== undefined) this.#controller.abort(new ClientGone());
      // The connection is still being opened.
      else this.#discard();
    });
  }

  onRequestStart(controller: Pick<ResponseController, 'abort'>): void {
    const exchange = this.#exchange;
    this.#controller = controller;
    exchange.wasReused = this.#connection?.isKept === true;
    exchange.wasConnected = true;
    exchange.sent += 1;
    if (exchange.response.destroyed) controller.abort(new ClientGone());
  }

  onResponseStarted(): void {
    this.#exchange.hasResponded = true;
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders, statusMessage?: string): void {
    // Informational responses are for this connection.
    if (status < 200) return;
    const exchange = this.#exchange;
    joinRepeated(headers);
    noteResponse(exchange, status, headers, this.#options);
    const length = headers['content-length'];
    if (length !== undefined && !isWithoutBody(exchange.request, status)) this.#missingBytes = Number(length);
    const head = { status, statusMessage, headers };
    this.#encoder = forwardHead(head, exchange.request, exchange.response, this.#options.encode);
    this.#hasHead = true;
    if (this.#encoder !== undefined) sendEncoded(this.#encoder, exchange.response);
  }

  onResponseData(controller: ResponseController, chunk: Buffer): void {
    const full = this.write(chunk);
    if (full === undefined) return;
    controller.pause();
    full.once('drain', () => controller.resume());
  }

  /** Writes a piece of the body. Returns what must drain before the next one. */
  write(piece: Buffer | string, encoding?: BufferEncoding): Writable | undefined {
    const { response } = this.#exchange;
    if (this.#missingBytes !== undefined) {
      const length = typeof piece === 'string' ? Buffer.byteLength(piece, encoding) : piece.length;
      if (length > this.#missingBytes) return this.#writeFirst(this.#missingBytes, piece, encoding);
      this.#missingBytes -= length;
      // The last bytes and the end are one write.
      if (this.#missingBytes === 0 && this.#encoder === undefined) {
        endWith(response, piece, encoding);
        return undefined;
      }
    }
    const target: Writable = this.#encoder ?? response;
    return target.write(piece, encoding as BufferEncoding) ? undefined : target;
  }

  /** Leaves out what exceeds the announced length: the client would take it for the next response. */
  #writeFirst(bytes: number, piece: Buffer | string, encoding: BufferEncoding | undefined): Writable | undefined {
    const whole = typeof piece === 'string' ? Buffer.from(piece, encoding) : piece;
    return bytes === 0 ? undefined : this.write(whole.subarray(0, bytes));
  }

  onResponseEnd(): void {
    const { response, lease } = this.#exchange;
    // A service of this process may announce more than it writes; undici reports this itself.
    if (this.#missingBytes !== undefined && this.#missingBytes > 0) {
      this.onResponseError(undefined, new Error('the response is shorter than announced'));
      return;
    }
    this.#hasEnded = true;
    if (this.#connection !== undefined) lease.replica.connections.giveBack(this.#connection);
    lease.release();
    if (this.#encoder !== undefined) this.#encoder.end();
    else if (!response.writableEnded) response.end();
  }

  onResponseError(_controller: unknown, error: Error): void {
    const exchange = this.#exchange;
    this.#hasEnded = true;
    this.#discard();
    if (isParserError(error)) exchange.hasResponded = true;
    if (this.#hasHead) this.#breakOff(error);
    else this.#trace.run(() => void recover(this.#timeoutOf(error) ?? error, exchange, this.#options));
  }

  #breakOff(error: Error): void {
    const exchange = this.#exchange;
    exchange.lease.release();
    this.#trace.run(() => breakOff(error, exchange, this.#options));
    this.#encoder?.destroy();
  }

  #discard(): void {
    if (this.#connection !== undefined) this.#exchange.lease.replica.connections.discard(this.#connection);
  }

  #timeoutOf(error: Error): UpstreamTimeout | undefined {
    const code = 'code' in error ? error.code : undefined;
    if (code === 'UND_ERR_CONNECT_TIMEOUT') return new UpstreamTimeout('connect', this.#options.connectTimeoutMs);
    if (code === 'UND_ERR_HEADERS_TIMEOUT') return new UpstreamTimeout('response', this.#exchange.silenceMs);
    return undefined;
  }
}

/** Whether the length of the response is the length of another one (RFC 9110 §8.6). */
const isWithoutBody = ({ method }: IncomingMessage, status: number): boolean =>
  method === 'HEAD' || status === 204 || status === 304;

const isParserError = (error: Error): boolean => error.name === 'HTTPParserError';
