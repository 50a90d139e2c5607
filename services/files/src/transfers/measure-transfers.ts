import { type Metrics, NO_METRICS } from '@lintel/telemetry';
import type { RequestHandler } from 'express';

/** Counts the transfers of both listeners. */
export interface TransferMetrics {
  /** Middleware for the routes of files. */
  readonly middleware: RequestHandler;
  /** Counts a stored file. */
  stored(bytes: number): void;
}

type Direction = 'upload' | 'download';
const DIRECTIONS: Readonly<Record<string, Direction>> = { POST: 'upload', GET: 'download' };

/** Of a resumable upload, only the requests with bytes are transfers. */
const directionOf = ({ method, path }: { readonly method: string; readonly path: string }): Direction | undefined =>
  path.startsWith('/uploads') ? (method === 'PATCH' ? 'upload' : undefined) : DIRECTIONS[method];

export function createTransferMetrics(metrics: Metrics = NO_METRICS): TransferMetrics {
  const active: Record<Direction, number> = { upload: 0, download: 0 };
  const of = (direction: Direction) => {
    metrics.observe('lintel.files.transfers.active', () => active[direction], { direction });
    return {
      ok: metrics.counter('lintel.files.transfers', { direction, outcome: 'ok' }),
      error: metrics.counter('lintel.files.transfers', { direction, outcome: 'error' }),
      bytes: metrics.counter('lintel.files.bytes', { direction }),
    };
  };
  const series = { upload: of('upload'), download: of('download') };
  return {
    middleware(request, response, next) {
      const direction = directionOf(request);
      if (direction === undefined) return next();
      const { socket } = request;
      const writtenBefore = socket.bytesWritten;
      active[direction] += 1;
      response.once('close', () => {
        active[direction] -= 1;
        const isComplete = response.writableFinished && response.statusCode < 400;
        series[direction][isComplete ? 'ok' : 'error'].add(1);
        // Includes the head, which is negligible for nearly all files.
        if (direction === 'download') series.download.bytes.add(Math.max(0, socket.bytesWritten - writtenBefore));
      });
      next();
    },
    stored: (bytes) => series.upload.bytes.add(bytes),
  };
}
