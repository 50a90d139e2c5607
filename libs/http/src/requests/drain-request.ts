import type { IncomingMessage } from 'node:http';

const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;
const MAX_DISCARD_MS = 30_000;
/** Longest wait for the next piece. */
const MAX_SILENCE_MS = 5_000;

/**
 * Receives and drops what is left of a refused body, so that the client gets to read the answer: closing
 * at once would reset the connection under it. What is too long or too slow is cut.
 */
export function drainRequest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let discarded = 0;
  const cut = () => request.socket.destroy();
  const whole = setTimeout(cut, MAX_DISCARD_MS).unref();
  const silence = setTimeout(cut, MAX_SILENCE_MS).unref();
  const forgetTimers = () => {
    clearTimeout(whole);
    clearTimeout(silence);
  };
  // Whoever took the body until now gets no more of it, and a pipe that ends later pauses it once more.
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
