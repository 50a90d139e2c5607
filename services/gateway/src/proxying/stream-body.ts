import type { ClientRequest, IncomingMessage } from 'node:http';
import { Stream, type Writable } from 'node:stream';
import { limitBody } from '../limits/limit-request.ts';
import { type BodyPace, guardPace } from '../limits/slow-body.ts';
import { whenConnected } from './when-connected.ts';

/** Smaller pieces are left to the garbage collector, which is quick about them. */
const RELEASED_FROM_BYTES = 8 * 1024;

/**
 * Sends a body on at the pace at which it is taken, and ends the target with it. The memory of each piece is
 * given back as soon as it has been written: the garbage collector would let some 64 MB of them pile up.
 */
export function streamBody(source: IncomingMessage, target: Writable): void {
  if (source.readableEnded) {
    target.end();
    return;
  }
  const onData = (piece: Buffer) => {
    if (!target.write(piece, () => release(piece))) source.pause();
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

/** Frees a piece's memory, where nobody else has a part of it: the parser gives each piece a block of its own. */
function release(piece: Buffer): void {
  const { buffer } = piece;
  if (piece.length < RELEASED_FROM_BYTES || piece.length !== buffer.byteLength) return;
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}

export interface BodyLimits {
  /** Above it the upstream request ends with REQ_BODY_TOO_LARGE. */
  readonly maxBodyBytes?: number | undefined;
  /** Below it the upstream request ends with REQ_TOO_SLOW. */
  readonly bodyPace: BodyPace;
}

/** A request's body, which is not touched before there is a connection to send it over. */
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
    const { maxBodyBytes, bodyPace } = this.#limits;
    const refuse = (error: Error) => upstream.destroy(error);
    if (maxBodyBytes !== undefined) limitBody(this.#request, maxBodyBytes, refuse);
    if (!this.#request.complete) guardPace(this.#request, upstream, bodyPace, refuse);
    streamBody(this.#request, upstream);
  }
}
