import type { IncomingMessage } from 'node:http';

const MAX_DISCARDED_BYTES = 4 * 1024 * 1024;
const MAX_DISCARD_MS = 5_000;

/**
 * Receives and drops what is left of a refused body, so that the client gets to read the answer: closing
 * at once would reset the connection under it. What is longer than `maxBytes` or too slow is cut.
 */
export function discardRest(request: IncomingMessage, maxBytes = MAX_DISCARDED_BYTES): void {
  if (request.complete || request.destroyed) return;
  let discarded = 0;
  const cut = () => request.socket.destroy();
  const timer = setTimeout(cut, MAX_DISCARD_MS);
  timer.unref();
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > maxBytes) cut();
  });
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));
  request.resume();
}
