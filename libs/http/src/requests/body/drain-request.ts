import type { IncomingMessage } from 'node:http';
import { awaitsContinue } from './await-continue.ts';

const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;
const MAX_DISCARD_MS = 30_000;
/** Maximum wait for the next chunk. */
const MAX_SILENCE_MS = 5_000;

/**
 * Receives and discards the rest of a refused body, so that the client can read the response: closing the connection
 * at once would reset it before that. If the rest is too long or too slow, the connection is closed.
 */
export function drainRequest(request: IncomingMessage): void {
  // A client that waits for a 100 sends no body after the refusal.
  if (request.complete || request.destroyed || awaitsContinue(request)) return;
  let discarded = 0;
  const cut = () => request.socket.destroy();
  const whole = setTimeout(cut, MAX_DISCARD_MS).unref();
  const silence = setTimeout(cut, MAX_SILENCE_MS).unref();
  const forgetTimers = () => {
    clearTimeout(whole);
    clearTimeout(silence);
  };
  // Former readers of the body are detached; a pipe that ends later may pause the request once more.
  request.unpipe();
  request.removeAllListeners('data');
  request.on('pause', () => process.nextTick(() => request.resume()));
  request.on('data', (chunk: Buffer) => {
    silence.refresh();
    discarded += chunk.length;
    if (discarded > MAX_DISCARDED_BYTES) cut();
  });
  request.once('close', forgetTimers);
  request.once('end', forgetTimers);
  request.resume();
}
