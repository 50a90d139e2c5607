import type { IncomingMessage } from 'node:http';

/** An upload may take for ever, but not without a byte for this long. */
const STALL_MS = 60_000;
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
