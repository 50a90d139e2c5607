import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { awaitsContinue, continueWhenRead, cutResponse, drainRequest } from '@lintel/http';
import { hasBody } from '../limits/has-body.ts';
import { bodyTooLarge, limitBody } from '../limits/limit-request.ts';
import { guardPace } from '../limits/slow-body.ts';
import { type Exchange, recover } from './exchange.ts';
import { bodyOf, canSendDirectly, type DirectOptions, DirectResponse } from './send-directly.ts';
import type { BodyLimits } from './stream-body.ts';
import { headersToSend } from './undici-headers.ts';
import { UpstreamTimeout } from './upstream-error.ts';

export interface InProcessOptions extends DirectOptions, BodyLimits {}

/**
 * Hands requests to a service of the same process: it gets a request and a response of Node, as its server creates
 * them, whose connection is not a socket. Bodies pass as they are written, in both directions.
 */
export function createInProcessTransport(service: RequestListener, options: InProcessOptions): Exchange['send'] {
  const { maxBodyBytes = Number.POSITIVE_INFINITY } = options;
  return (exchange) => {
    const { request } = exchange;
    const hasArrived = canSendDirectly(request) || !hasBody(request);
    if (hasArrived) exchange.body ??= bodyOf(request);
    const { body } = exchange;
    if (body != null && body.length > maxBodyBytes) return recover(bodyTooLarge(maxBodyBytes), exchange, options);
    const connection = new ServiceConnection(exchange, options);
    try {
      service(connection.request, connection.response);
    } catch (error) {
      connection.destroy(new Error('the service failed', { cause: error }));
    }
    return undefined;
  };
}

/** What Node's parser calls for each request. */
interface ParsedRequest extends IncomingMessage {
  _addHeaderLines(rawHeaders: readonly string[], count: number): void;
}

/** Methods whose requests have a length, even without a body. */
const WITH_LENGTH: ReadonlySet<string | undefined> = new Set(['POST', 'PUT', 'PATCH', 'OPTIONS']);

/** The headers that the service would receive over a socket. */
function rawHeadersOf({ request, body }: Exchange): string[] {
  const { headers, method } = request;
  const coding = headers['transfer-encoding'];
  const raw = headersToSend(headers, false);
  raw.push('connection', 'keep-alive');
  if (body === undefined) {
    if (coding !== undefined) raw.push('transfer-encoding', coding);
    if (awaitsContinue(request)) raw.push('expect', '100-continue');
  } else if (headers['content-length'] === undefined && (body !== null || WITH_LENGTH.has(method)))
    raw.push('content-length', String(body?.length ?? 0));
  return raw;
}

/** What `ServerResponse` writes for informational responses: they are for the connection. */
const INFORMATIONAL = 'HTTP/1.1 1';
const IMPLIED_LENGTH = /\r\nContent-Length: (\d+)\r\n/;
const END_OF_HEAD = '\r\n\r\n';

/** One request to a service, instead of the socket of its request and its response. */
class ServiceConnection extends Writable {
  /** As a socket of loopback has them. */
  readonly readable = true;
  readonly remoteAddress = '127.0.0.1';
  readonly remoteFamily = 'IPv4';
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly #exchange: Exchange;
  readonly #options: InProcessOptions;
  readonly #forwarded: DirectResponse;
  readonly #silence: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;
  #isReading = false;
  #hasHead = false;
  #hasEnded = false;

  constructor(exchange: Exchange, options: InProcessOptions) {
    super({ decodeStrings: false });
    this.#exchange = exchange;
    this.#options = options;
    this.request = this.#createRequest();
    this.response = this.#createResponse();
    this.#forwarded = new DirectResponse(exchange, undefined, options);
    this.#forwarded.onRequestStart(this);
    this.#silence = setTimeout(() => this.#checkSilence(), exchange.silenceMs);
    this.on('drain', () => this.#passDrain());
  }

  /** Called by the request when the service reads more of its body. */
  resume(): this {
    const { request: source, body } = this.#exchange;
    if (body !== undefined || this.#hasEnded) return this;
    if (this.#isReading) source.resume();
    else this.#readBody(source);
    return this;
  }

  /** Called by applications, also by way of request and response. */
  setTimeout(ms: number, onTimeout?: () => void): this {
    if (onTimeout !== undefined) this.once('timeout', onTimeout);
    clearTimeout(this.#idle);
    this.#idle = ms > 0 ? setTimeout(() => this.#endIdle(), ms).unref() : undefined;
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  /** The end of a response that has no visible end. */
  resetAndDestroy(): this {
    return this.destroy();
  }

  /** Called when the connection of the client closes, or the response is complete. */
  abort(reason: Error): void {
    // The client may have the whole response before the service ends it, and the service may have ended it before the
    // client has it.
    if (!this.#exchange.response.writableFinished && !this.response.writableFinished) this.destroy(reason);
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    this.#noteProgress();
    const body = this.#hasHead ? chunk : this.#takeHead(chunk as string);
    const full = body.length === 0 ? undefined : this.#forwarded.write(body, encoding);
    if (full === undefined) done();
    else full.once('drain', done);
  }

  override _destroy(error: Error | null, done: (error: null) => void): void {
    this.#clearTimers();
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      this.request.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
      this.#forwarded.onResponseError(this, error ?? new Error('the service closed the connection'));
    }
    // Handled above, as the server of a service handles errors of its sockets.
    done(null);
  }

  #createRequest(): IncomingMessage {
    const { request: source, body } = this.#exchange;
    const request = new IncomingMessage(this as unknown as Socket);
    request.httpVersion = '1.1';
    request.httpVersionMajor = 1;
    request.httpVersionMinor = 1;
    if (source.method !== undefined) request.method = source.method;
    request.url = source.url ?? '/';
    const rawHeaders = rawHeadersOf(this.#exchange);
    (request as ParsedRequest)._addHeaderLines(rawHeaders, rawHeaders.length);
    if (body === undefined) return request;
    if (body !== null) request.push(body);
    request.complete = true;
    request.push(null);
    return request;
  }

  #createResponse(): ServerResponse {
    const response = new ServerResponse(this.request);
    if (awaitsContinue(this.#exchange.request)) continueWhenRead(this.request, response);
    // Then `writeHead` adds its headers to those that can be read, of which there are none otherwise.
    response.setHeader('x', '').removeHeader('x');
    // An own property: Express replaces the prototype.
    response.writeHead = writeHeadWithoutChunks;
    response.assignSocket(this as unknown as Socket);
    response.once('finish', () => this.#finish());
    return response;
  }

  #readBody(source: IncomingMessage): void {
    this.#isReading = true;
    const { maxBodyBytes, bodyPace } = this.#options;
    const { request } = this;
    const refuse = (error: Error): void => void this.destroy(error);
    if (maxBodyBytes !== undefined) limitBody(source, maxBodyBytes, refuse);
    if (!source.complete) guardPace(source, request, bodyPace, refuse);
    source.on('data', (chunk: Buffer) => {
      this.#noteProgress();
      if (!this.#hasEnded && !request.push(chunk)) source.pause();
    });
    source.once('end', () => {
      if (this.#hasEnded) return;
      request.complete = true;
      request.push(null);
    });
  }

  /** Passes the head of the response on. Returns the part of the body that was written with it. */
  #takeHead(chunk: string): string {
    if (chunk.startsWith(INFORMATIONAL)) return '';
    this.#hasHead = true;
    const { request, response } = this.#exchange;
    const { statusCode, statusMessage } = this.response;
    const end = chunk.indexOf(END_OF_HEAD) + END_OF_HEAD.length;
    const headers = this.response.getHeaders();
    for (const name in headers) if (typeof headers[name] === 'number') headers[name] = String(headers[name]);
    const length = headers['content-length'] ?? IMPLIED_LENGTH.exec(chunk.slice(0, end))?.[1];
    if (length !== undefined) headers['content-length'] = length;
    // There is no connection that the service could close.
    if (headers['connection'] === 'close') delete headers['connection'];
    if (!request.complete) response.once('finish', () => drainRequest(request));
    this.#forwarded.onResponseStart(this, statusCode, headers as IncomingMessage['headers'], statusMessage);
    return chunk.slice(end);
  }

  /** The service has written the whole response: ends request and response as its server would. */
  #finish(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#clearTimers();
    this.response.detachSocket(this as unknown as Socket);
    // It is complete: this emits `close`.
    cutResponse(this.response);
    if (this.request.complete) {
      if (!this.request.readableDidRead) this.request.resume();
    } else this.request.destroy();
    this.#forwarded.onResponseEnd();
  }

  #passDrain(): void {
    // Node's own state of a response is changed by its server only.
    Object.defineProperty(this.response, 'writableNeedDrain', {
      get: () => this.writableNeedDrain,
      configurable: true,
    });
    this.response.emit('drain');
  }

  #noteProgress(): void {
    this.#silence.refresh();
    this.#idle?.refresh();
  }

  #clearTimers(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#idle);
  }

  /** As Node's server: a timeout that nothing handles ends the connection. */
  #endIdle(): void {
    const { request, response } = this;
    const emitters = request.complete ? [this, response] : [this, request, response];
    if (!emitters.map((each) => each.emit('timeout', this)).includes(true)) this.destroy();
  }

  #checkSilence(): void {
    // The service waits for the client.
    if (this.writableLength > 0) this.#silence.refresh();
    else this.destroy(new UpstreamTimeout('response', this.#exchange.silenceMs));
  }
}

/** Writes the body without the framing of chunks, of which nothing is left after the connection. */
function writeHeadWithoutChunks(this: ServerResponse, ...given: unknown[]): ServerResponse {
  ServerResponse.prototype.writeHead.apply(this, given as Parameters<ServerResponse['writeHead']>);
  this.chunkedEncoding = false;
  return this;
}
