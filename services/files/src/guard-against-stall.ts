import type { IncomingMessage } from 'node:http';

export interface TransferPace {
  /** Interval of the checks: a transfer without a byte in one of them ends. */
  readonly periodMs: number;
  /** Minimum number of bytes in a period in which the client is waited for. */
  readonly minBytesPerPeriod: number;
}

const PERIOD_MS = 60_000;

/** The pace for a minimum rate; 0 requires one byte a minute. */
export const paceOf = (minBytesPerSecond: number): TransferPace => ({
  periodMs: PERIOD_MS,
  minBytesPerPeriod: Math.max(1, (minBytesPerSecond * PERIOD_MS) / 1_000),
});

/**
 * Ends the connection of an upload that has stopped or is too slow, unless it waits for the storage.
 *
 * @returns a function that must be called at the end of the transfer
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
 * Ends the connection of a download that the client reads too slowly, or that the storage does not continue.
 *
 * @returns a function that must be called at the end of the transfer
 */
export function guardDownload({ socket }: IncomingMessage, { periodMs, minBytesPerPeriod }: TransferPace): () => void {
  /** Bytes that the operating system has accepted, which follows the reading of the client. */
  const sent = (): number => socket.bytesWritten - socket.writableLength;
  let before = sent();
  const timer = setInterval(() => {
    const now = sent();
    // Without bytes to send the transfer waits for the storage.
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
