import type { ServerResponse } from 'node:http';
import { cutResponse } from '@lintel/http';
import { type Metrics, NO_METRICS } from '@lintel/telemetry';
import { type Entry, InProgress } from '@lintel/timing';

export interface SlowReaderOptions {
  /** Minimum rate at which a client must read. */
  readonly minBytesPerSecond: number;
  /** Time over which the rate is measured. */
  readonly windowMs: number;
  readonly metrics?: Metrics | undefined;
}

/** A response that is watched. */
export interface WatchedResponse {
  readonly response: ServerResponse;
  /** Bytes that the client had read at the last check, where others were waiting for it; else undefined. */
  takenBytes: number | undefined;
}

/**
 * Closes connections of clients that read their responses too slowly, since each response occupies a connection to a
 * service, or memory of the service. Only time in which bytes are waiting for the client counts: the client is not
 * responsible for a service that sends slowly.
 */
export function createSlowReaders({ minBytesPerSecond, windowMs, metrics = NO_METRICS }: SlowReaderOptions) {
  const minBytes = (minBytesPerSecond * windowMs) / 1_000;
  const cuts = metrics.counter('lintel.gateway.refusals', { reason: 'slow-reader' });
  const responses = new InProgress<WatchedResponse>();
  let timer: NodeJS.Timeout | undefined;

  function check(): void {
    for (const watched of responses) {
      const { response, takenBytes: before } = watched;
      const { socket } = response;
      const isWaiting = socket !== null && socket.writableLength > 0;
      watched.takenBytes = isWaiting ? socket.bytesWritten - socket.writableLength : undefined;
      if (before === undefined || watched.takenBytes === undefined) continue;
      if (watched.takenBytes - before >= minBytes) continue;
      cuts.add(1);
      cutResponse(response);
    }
  }

  return {
    start(): void {
      timer = setInterval(check, windowMs).unref();
    },
    stop: (): void => clearInterval(timer),
    /** Watches a response until `forget`. */
    watch: (response: ServerResponse): Entry<WatchedResponse> => responses.begin({ response, takenBytes: undefined }),
    forget(watched: Entry<WatchedResponse>): void {
      responses.end(watched);
    },
  };
}

export type SlowReaders = ReturnType<typeof createSlowReaders>;
