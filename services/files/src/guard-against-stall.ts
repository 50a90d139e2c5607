import type { IncomingMessage } from 'node:http';

export interface TransferPace {
  /** How often the transfer is examined: in no such time may it be without a byte. */
  readonly periodMs: number;
  /** Bytes that each of them needs where it is the client that the transfer waits for: `svc.files.min-transfer-rate`. */
  readonly minBytesPerPeriod: number;
}

const PERIOD_MS = 60_000;

/** The pace of transfers at a rate; 0 asks for a byte a minute. */
export const paceOf = (minBytesPerSecond: number): TransferPace => ({
  periodMs: PERIOD_MS,
  minBytesPerPeriod: Math.max(1, (minBytesPerSecond * PERIOD_MS) / 1_000),
});

/**
 * Ends the connection of an upload that stopped arriving, or that arrives too slowly; not of one that waits for the
 * storage.
 *
 * @returns to be called at the end of the transfer
 */
export function guardUpload(request: IncomingMessage, { periodMs, minBytesPerPeriod }: TransferPace): () => void {
  const { socket } = request;
  if (request.complete) return () => {};
  let received = socket.bytesRead;
  let hasWaited = request.isPaused();
  const onPause = (): void => {
    hasWaited = true;
  };
  const timer = setInterval(() => {
    const now = socket.bytesRead;
    if (now - received < minBytesPerPeriod && !hasWaited) socket.destroy();
    received = now;
    hasWaited = request.isPaused();
  }, periodMs);
  const end = (): void => {
    clearInterval(timer);
    request.off('pause', onPause);
    request.off('end', end);
    request.off('close', end);
  };
  request.on('pause', onPause);
  request.once('end', end);
  request.once('close', end);
  return end;
}

/**
 * Ends the connection of a download that its client reads too slowly, or that the storage does not continue.
 *
 * @returns to be called at the end of the transfer
 */
export function guardDownload({ socket }: IncomingMessage, { periodMs, minBytesPerPeriod }: TransferPace): () => void {
  /** What the system has taken from us, which it does as the client reads. */
  const sent = (): number => socket.bytesWritten - socket.writableLength;
  let before = sent();
  const timer = setInterval(() => {
    const now = sent();
    // Nothing to send means that it waits for the storage.
    const needed = socket.writableLength > 0 ? minBytesPerPeriod : 1;
    if (now - before < needed) socket.destroy();
    before = now;
  }, periodMs);
  const end = (): void => {
    clearInterval(timer);
    socket.off('close', end);
  };
  socket.once('close', end);
  return end;
}
