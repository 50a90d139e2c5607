import type { IncomingMessage } from 'node:http';

/** An upload may take for ever, but not without a byte for this long. */
const STALL_MS = 60_000;
/** What is read and thrown away of a refused upload, so that its sender gets to see the answer. */
const REFUSED_DRAIN_MS = 5_000;
const REFUSED_DRAIN_BYTES = 64 * 1024 * 1024;

/** Ends the connection of an upload that stopped arriving. */
export function guardAgainstStall(request: IncomingMessage): void {
  const { socket } = request;
  const onStall = (): void => {
    if (!request.complete) request.destroy();
  };
  socket.setTimeout(STALL_MS, onStall);
  request.once('end', () => {
    socket.off('timeout', onStall);
    socket.setTimeout(0);
  });
}

/** Reads on for a while after a refusal: cutting the connection at once would often lose the answer. */
export function drainRefused(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let drained = 0;
  const deadline = setTimeout(() => request.destroy(), REFUSED_DRAIN_MS);
  request.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > REFUSED_DRAIN_BYTES) request.destroy();
  });
  request.once('close', () => clearTimeout(deadline));
  request.resume();
}
