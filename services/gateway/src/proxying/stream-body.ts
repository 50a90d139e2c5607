import type { ClientRequest, IncomingMessage } from 'node:http';
import { Stream, type Writable } from 'node:stream';
import { awaitsContinue } from '@lintel/http';
import { limitBody } from '../limits/limit-request.ts';
import { type BodyPace, guardPace } from '../limits/slow-body.ts';
import { whenConnected } from './when-connected.ts';

/** Smaller chunks are left to the garbage collector, which frees them fast. */
const RELEASED_FROM_BYTES = 8 * 1024;

/**
 * Writes a body to the target as fast as the target accepts it, then ends the target. The memory of each chunk is
 * freed as soon as it has been written: the garbage collector would let about 64 MB of them accumulate.
 */
export function streamBody(source: IncomingMessage, target: Writable): void {
  if (source.readableEnded) {
    target.end();
    return;
  }
  const onData = (chunk: Buffer) => {
    if (!target.write(chunk, () => release(chunk))) source.pause();
  };
  const onDrain = () => source.resume();
  const onEnd = () => target.end();
  source.on('data', onData);
  source.once('end', onEnd);
  target.on('drain', onDrain);
  target.once('close', () => {
    source.off('data', onData);
    source.off('end', onEnd);
    target.off('drain', onDrain);
  });
}

/** Frees the memory of a chunk that has a buffer of its own, as chunks of the HTTP parser have. */
function release(chunk: Buffer): void {
  const { buffer } = chunk;
  if (chunk.length < RELEASED_FROM_BYTES || chunk.length !== buffer.byteLength) return;
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}

export interface BodyLimits {
  /** The upstream request of a longer body ends with REQ_BODY_TOO_LARGE. */
  readonly maxBodyBytes?: number | undefined;
  /** The upstream request of a slower body ends with REQ_TOO_SLOW. */
  readonly bodyPace: BodyPace;
}

/** The body of a request, which is not read before there is a connection to send it over. */
export class RequestBody extends Stream {
  readonly #request: IncomingMessage;
  readonly #limits: BodyLimits;

  constructor(request: IncomingMessage, limits: BodyLimits) {
    super();
    this.#request = request;
    this.#limits = limits;
  }

  /** Called by the proxy when the upstream request has a socket, connected or not. */
  override pipe<T extends NodeJS.WritableStream>(target: T): T {
    const upstream = target as unknown as ClientRequest;
    if (upstream.socket !== null) whenConnected(upstream.socket, () => this.#send(upstream));
    return target;
  }

  #send(upstream: ClientRequest): void {
    if (!awaitsContinue(this.#request)) {
      this.#stream(upstream);
      return;
    }
    // Its 100, or a refusal that comes instead, is the one for the client.
    upstream.setHeader('Expect', '100-continue');
    upstream.once('continue', () => this.#stream(upstream));
    upstream.flushHeaders();
  }

  #stream(upstream: ClientRequest): void {
    const { maxBodyBytes, bodyPace } = this.#limits;
    const refuse = (error: Error) => upstream.destroy(error);
    if (maxBodyBytes !== undefined) limitBody(this.#request, maxBodyBytes, refuse);
    if (!this.#request.complete) guardPace(this.#request, upstream, bodyPace, refuse);
    streamBody(this.#request, upstream);
  }
}
