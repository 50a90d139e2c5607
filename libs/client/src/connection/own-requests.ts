import type { ResponseLike } from '../platform.ts';

/** Traces of the latest requests; an event arrives within milliseconds, after a lost connection later. */
const MAX_TRACES = 1_000;

/** The requests of a client that can change something, by the trace ids of their responses. */
export interface OwnRequests {
  /** Runs a request, which reports each of its responses. */
  during<T>(run: (respond: (response: ResponseLike) => void) => Promise<T>): Promise<T>;
  /**
   * Whether a request of this client has the trace. An event may arrive before the response of its request: then the
   * response is waited for.
   */
  made(traceId: string): Promise<boolean>;
}

/** Records the requests of a client. */
export function createOwnRequests(): OwnRequests {
  const traces = new Set<string>();
  const running = new Set<Promise<unknown>>();
  const record = ({ headers }: ResponseLike): void => {
    const traceId = headers.get('x-trace-id');
    if (traceId === null) return;
    traces.add(traceId);
    const [oldest] = traces;
    if (traces.size > MAX_TRACES && oldest !== undefined) traces.delete(oldest);
  };
  return {
    async during(run) {
      const work = run(record);
      const ended = work.catch(() => {});
      running.add(ended);
      try {
        return await work;
      } finally {
        running.delete(ended);
      }
    },
    async made(traceId) {
      // Those that begin later have other traces.
      if (!traces.has(traceId)) await Promise.all(running);
      return traces.has(traceId);
    },
  };
}
