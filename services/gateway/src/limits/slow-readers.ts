import type { ServerResponse } from 'node:http';
import { cutResponse } from '@lintel/http';
import { type Counter, type Metrics, NO_METRICS } from '@lintel/telemetry';
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
export class SlowReaders {
  readonly #minBytes: number;
  readonly #windowMs: number;
  readonly #cuts: Counter;
  readonly #responses = new InProgress<WatchedResponse>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ minBytesPerSecond, windowMs, metrics = NO_METRICS }: SlowReaderOptions) {
    this.#minBytes = (minBytesPerSecond * windowMs) / 1_000;
    this.#windowMs = windowMs;
    this.#cuts = metrics.counter('lintel.gateway.refusals', { reason: 'slow-reader' });
  }

  start(): void {
    this.#timer = setInterval(() => this.#check(), this.#windowMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Watches a response until `forget`. */
  watch(response: ServerResponse): Entry<WatchedResponse> {
    return this.#responses.begin({ response, takenBytes: undefined });
  }

  forget(watched: Entry<WatchedResponse>): void {
    this.#responses.end(watched);
  }

  #check(): void {
    for (const watched of this.#responses) {
      const { response, takenBytes: before } = watched;
      const { socket } = response;
      const isWaiting = socket !== null && socket.writableLength > 0;
      watched.takenBytes = isWaiting ? socket.bytesWritten - socket.writableLength : undefined;
      if (before === undefined || watched.takenBytes === undefined) continue;
      if (watched.takenBytes - before >= this.#minBytes) continue;
      this.#cuts.add(1);
      cutResponse(response);
    }
  }
}
