import type { IncomingMessage } from 'node:http';
import { PlatformError } from '@lintel/errors';
import { clientAddressOf, networkOf, readBody } from '@lintel/http';

/** Receives the bodies of forms. */
export interface FormReceiver {
  /**
   * @throws PlatformError REQ_TOO_SLOW if the form takes longer than the limit, or is the oldest of too many of its
   *   address; REQ_TOO_MANY_REQUESTS if too many of the address have just begun; those of `readBody`
   */
  receive(request: IncomingMessage, maxBytes: number): Promise<Buffer>;
}

export interface FormReceiverOptions {
  /** Maximum time for a form. */
  readonly timeoutMs: number;
  /** Maximum number of concurrent forms of one address; above it the oldest one is ended. */
  readonly maxPerAddress: number;
  /** Minimum age of a form that is ended in favour of another one. */
  readonly graceMs: number;
}

const DEFAULTS: FormReceiverOptions = { timeoutMs: 10_000, maxPerAddress: 64, graceMs: 1_000 };
/** Maximum number of forms of one address that have just begun, as a multiple of `maxPerAddress`. */
const BURST = 4;

interface Arrival {
  readonly sinceMs: number;
  readonly end: (error: PlatformError) => void;
}

const tooSlow = (details: string) => new PlatformError('REQ_TOO_SLOW', details, { headers: { Connection: 'close' } });
const tooMany = () =>
  new PlatformError('REQ_TOO_MANY_REQUESTS', 'Too many forms arrive from this address', {
    headers: { 'Retry-After': '1', Connection: 'close' },
  });

/** Limits slow forms: a form has a few kilobytes, and one that is sent slowly occupies a connection. */
export function createFormReceiver(options: FormReceiverOptions = DEFAULTS): FormReceiver {
  const { timeoutMs, maxPerAddress, graceMs } = options;
  const arriving = new Map<string, Set<Arrival>>();

  function admit(of: Set<Arrival>, nowMs: number): void {
    if (of.size < maxPerAddress) return;
    const [oldest] = of;
    if (oldest !== undefined && nowMs - oldest.sinceMs >= graceMs)
      oldest.end(tooSlow('The form arrived too slowly, and others of the same address have begun'));
    else if (of.size >= BURST * maxPerAddress) throw tooMany();
  }

  return {
    async receive(request, maxBytes) {
      // The usual case: the form arrives together with the head.
      const network = networkOf(clientAddressOf(request));
      const of = arriving.get(network) ?? new Set();
      const sinceMs = performance.now();
      admit(of, sinceMs);
      let timer: NodeJS.Timeout | undefined;
      let arrival: Arrival | undefined;
      const ended = new Promise<never>((_resolve, reject) => {
        arrival = { sinceMs, end: reject };
        timer = setTimeout(
          () => reject(tooSlow(`The form arrived too slowly; the limit is ${timeoutMs / 1_000} seconds`)),
          timeoutMs,
        );
        of.add(arrival);
        arriving.set(network, of);
      });
      const body = readBody(request, maxBytes);
      // It may fail after the form was ended: then the error is not needed.
      body.catch(() => undefined);
      try {
        return await Promise.race([body, ended]);
      } finally {
        clearTimeout(timer);
        if (arrival !== undefined) of.delete(arrival);
        if (of.size === 0 && arriving.get(network) === of) arriving.delete(network);
      }
    },
  };
}
