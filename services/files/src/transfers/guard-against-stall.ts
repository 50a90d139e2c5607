import type { IncomingMessage } from 'node:http';

/** A transfer may take for ever, but not without a byte for this long. */
const STALL_MS = 60_000;

/**
 * Ends the connection of a transfer in which nothing moves: an upload that stopped arriving, a download that
 * nobody reads or that the storage does not go on with. An upload that waits for us is none of them.
 *
 * @returns to be called at the end of the transfer
 */
export function guardAgainstStall(request: IncomingMessage, stallMs = STALL_MS): () => void {
  const { socket } = request;
  const onStall = (): void => {
    const waitsForStorage = !request.complete && request.isPaused();
    if (waitsForStorage) socket.setTimeout(stallMs);
    else socket.destroy();
  };
  socket.setTimeout(stallMs, onStall);
  return () => {
    socket.off('timeout', onStall);
    socket.setTimeout(0);
  };
}
