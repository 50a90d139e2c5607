import type { IncomingMessage } from 'node:http';
import type { Stream } from 'node:stream';
import { PlatformError } from '@lintel/errors';
import { hasBody } from './has-body.ts';

/** A body up to this size is received completely before the request uses a connection to a service. */
const FIRST_BYTES = 64 * 1024;

/** A body that has not arrived after this time counts as slow. */
const SLOW_AFTER_MS = 1_000;

/**
 * Waits for a body to arrive, or the first 64 KB of a long one: clients that send slowly must not occupy connections
 * to a service.
 *
 * @param countSlow called for a slow body; the function it returns is called when the wait ends
 * @throws PlatformError REQ_TOO_SLOW if that takes longer than `timeoutMs`; errors of `countSlow`
 */
export function bodyArrived(
  request: IncomingMessage,
  timeoutMs: number,
  countSlow: () => () => void,
): Promise<void> | undefined {
  // A stream that is not read buffers no more than its own limit.
  const firstBytes = Math.min(FIRST_BYTES, request.readableHighWaterMark);
  const isEnough = (): boolean => request.complete || request.readableLength >= firstBytes;
  if (isEnough() || !hasBody(request)) return undefined;
  return new Promise((resolve, reject) => {
    let endSlow: (() => void) | undefined;
    const end = (): void => {
      request.off('readable', check);
      request.off('close', finish);
      clearTimeout(slowTimer);
      clearTimeout(timer);
      endSlow?.();
    };
    const finish = (): void => {
      end();
      resolve();
    };
    const check = (): void => {
      if (isEnough()) finish();
    };
    const refuse = (error: unknown): void => {
      end();
      reject(error);
    };
    const slowTimer = setTimeout(() => {
      try {
        endSlow = countSlow();
      } catch (error) {
        refuse(error);
      }
    }, SLOW_AFTER_MS);
    const timer = setTimeout(() => refuse(tooSlow(timeoutMs)), timeoutMs);
    // The body stays in the buffer of the stream: nothing is read here.
    request.on('readable', check);
    request.once('close', finish);
  });
}

/**
 * Checks the rate of the rest of a body while it is forwarded: its average over each `timeoutMs` must not fall below
 * the minimum. Time in which the service does not read does not count.
 */
export function guardPace(
  request: IncomingMessage,
  target: Stream,
  { timeoutMs, minBytesPerSecond }: BodyPace,
  refuse: (error: PlatformError) => void,
): void {
  const minBytes = (minBytesPerSecond * timeoutMs) / 1_000;
  let received = 0;
  const count = (chunk: Buffer): void => {
    received += chunk.length;
  };
  const check = (): void => {
    if (received < minBytes && !request.isPaused()) {
      end();
      refuse(belowRate(minBytesPerSecond));
    }
    received = 0;
  };
  const timer = setInterval(check, timeoutMs);
  const end = (): void => {
    clearInterval(timer);
    request.off('data', count);
  };
  request.on('data', count);
  request.once('end', end);
  target.once('close', end);
}

/** How fast a body must arrive. */
export interface BodyPace {
  readonly minBytesPerSecond: number;
  /** Time over which the rate is measured. */
  readonly timeoutMs: number;
}

const tooSlow = (timeoutMs: number): PlatformError =>
  new PlatformError('REQ_TOO_SLOW', `The body arrived too slowly; the limit is ${timeoutMs / 1_000} seconds`);

const belowRate = (minBytesPerSecond: number): PlatformError =>
  new PlatformError(
    'REQ_TOO_SLOW',
    `The body arrived too slowly; the minimum is ${minBytesPerSecond} bytes per second`,
  );
