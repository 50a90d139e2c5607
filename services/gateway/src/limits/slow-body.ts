import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { PlatformError } from '@lintel/errors';

/** A body that is no longer is whole before it takes a connection to a service. */
const FIRST_BYTES = 16 * 1024;
/** What a longer one has to bring in each further time. */
const BYTES_PER_TIME = 64 * 1024;

/**
 * Waits for a body to arrive, or enough of a long one: however many clients send theirs byte by byte, they keep no
 * connection to a service from others.
 *
 * @throws PlatformError REQ_TOO_SLOW where that takes longer than `timeoutMs`
 */
export function bodyArrived(request: IncomingMessage, timeoutMs: number): Promise<void> | undefined {
  const isEnough = (): boolean => request.complete || request.readableLength >= FIRST_BYTES;
  if (isEnough() || !hasBody(request)) return undefined;
  return new Promise((resolve, reject) => {
    const end = (): void => {
      request.off('readable', look);
      request.off('close', leave);
      clearTimeout(timer);
    };
    const leave = (): void => {
      end();
      resolve();
    };
    const look = (): void => {
      if (isEnough()) leave();
    };
    const timer = setTimeout(() => {
      end();
      reject(tooSlow(timeoutMs));
    }, timeoutMs);
    // Nothing is taken from the stream: what has come waits in it.
    request.on('readable', look);
    request.once('close', leave);
  });
}

/** Watches the rest of a body on its way to a service; time in which the service does not take it does not count. */
export function guardPace(
  request: IncomingMessage,
  target: Writable,
  timeoutMs: number,
  refuse: (error: PlatformError) => void,
): void {
  let received = 0;
  const count = (piece: Buffer): void => {
    received += piece.length;
  };
  const look = (): void => {
    if (received < BYTES_PER_TIME && !target.writableNeedDrain) {
      end();
      refuse(tooSlow(timeoutMs));
    }
    received = 0;
  };
  const timer = setInterval(look, timeoutMs);
  const end = (): void => {
    clearInterval(timer);
    request.off('data', count);
  };
  request.on('data', count);
  request.once('end', end);
  target.once('close', end);
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const tooSlow = (timeoutMs: number): PlatformError =>
  new PlatformError('REQ_TOO_SLOW', `The body arrived too slowly; the limit is ${timeoutMs / 1_000} seconds`);
