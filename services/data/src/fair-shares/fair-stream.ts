import { PlatformError } from '@lintel/errors';
import { HEAVY_MS, type StatementCosts } from './statement-costs.ts';

/** Dependencies of the fair share of a streamed statement. */
export interface FairStream {
  readonly costs: StatementCosts;
  /** Name under which the cost of the statement is recorded. */
  readonly costName: string;
  /** Whether other requests wait for the connection. */
  readonly isWanted: () => boolean;
}

/** Time of the client, of all batches together, for which a stream keeps its connection while others wait for it. */
const MAX_CLIENT_MS = 10_000;
/** Time between two checks whether others wait. */
const CHECK_MS = 500;

/**
 * Passes on the batches of a stream. Its cost is the time of the database, without the time of the client unless the
 * database works meanwhile. If a client reads slowly while others wait for a connection, the stream ends and releases
 * its connection at once.
 *
 * @param open starts the stream, which calls back with the duration of each fetch
 * @throws PlatformError DATA_TIMEOUT in the stream of a client that read too slowly
 */
export async function* streamFairly<R>(
  open: (onFetched: (durationMs: number) => void) => AsyncIterable<readonly R[]>,
  { costs, costName, isWanted }: FairStream,
): AsyncGenerator<readonly R[], void, undefined> {
  let fetchedMs = 0;
  const source = open((durationMs) => {
    fetchedMs += durationMs;
  });
  const batches = source[Symbol.asyncIterator]();
  const reader = createSlowReaderWatch(isWanted, () => void batches.return?.().catch(() => {}));
  let databaseMs = 0;
  let hasFailed = true;
  let isOver = false;
  const next = async (isFirst: boolean): Promise<IteratorResult<readonly R[], void>> => {
    const startedMs = performance.now();
    const slow = isFirst ? setTimeout(() => costs.noteSlow(costName), HEAVY_MS).unref() : undefined;
    try {
      return await batches.next();
    } finally {
      clearTimeout(slow);
      databaseMs += Math.max(fetchedMs, performance.now() - startedMs);
      fetchedMs = 0;
    }
  };
  try {
    for (let isFirst = true; ; isFirst = false) {
      hasFailed = true;
      const batch = await next(isFirst);
      hasFailed = false;
      isOver = batch.done === true;
      if (batch.done === true) return;
      reader.begin();
      try {
        yield batch.value;
      } finally {
        reader.end();
      }
      isOver = reader.isTooSlow();
      if (isOver) throw new PlatformError('DATA_TIMEOUT', 'The rows were received too slowly while others waited');
    }
  } finally {
    costs.note(costName, databaseMs, hasFailed);
    if (!isOver) await batches.return?.();
  }
}

/** Measures the time that the client needs for its batches, and calls back when it exceeds the limit. */
function createSlowReaderWatch(isWanted: () => boolean, onTooSlow: () => void) {
  let clientMs = 0;
  let sinceMs = 0;
  let isTooSlow = false;
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    if (clientMs + performance.now() - sinceMs < MAX_CLIENT_MS || !isWanted()) return;
    isTooSlow = true;
    clearInterval(timer);
    onTooSlow();
  };
  return {
    begin: () => {
      sinceMs = performance.now();
      timer = setInterval(check, CHECK_MS).unref();
    },
    end: () => {
      clearInterval(timer);
      clientMs += performance.now() - sinceMs;
    },
    isTooSlow: () => isTooSlow,
  };
}
