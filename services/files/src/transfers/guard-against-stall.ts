import type { IncomingMessage } from 'node:http';

/** A transfer may take for ever, but not without a byte for this long. */
const STALL_MS = 60_000;

/**
 * Ends the connection of an upload that stopped arriving; not of one that waits for the storage.
 *
 * @returns to be called at the end of the transfer
 */
export function guardUpload(request: IncomingMessage, stallMs = STALL_MS): () => void {
  const { socket } = request;
  // Node itself ends a connection whose time is over where nobody listens for it.
  const onStall = (): void => {
    if (request.isPaused()) socket.setTimeout(stallMs);
    else socket.destroy();
  };
  const end = (): void => {
    request.off('timeout', onStall);
    request.off('end', end);
    socket.setTimeout(0);
  };
  if (request.complete) return end;
  request.on('timeout', onStall);
  request.once('end', end);
  socket.setTimeout(stallMs);
  return end;
}

/**
 * Ends the connection of a download that nobody reads, or that the storage does not go on with.
 *
 * @returns to be called at the end of the transfer
 */
export function guardDownload({ socket }: IncomingMessage, stallMs = STALL_MS): () => void {
  const onStall = (): void => void socket.destroy();
  socket.setTimeout(stallMs, onStall);
  // The time itself is the server's again: at the end of the answer it has set that of an idle connection.
  return () => void socket.off('timeout', onStall);
}
