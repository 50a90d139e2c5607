import { isPlatformError } from '@lintel/errors';
import type { PublishedEvent, PublishedEvents } from '@lintel/persistence';
import type { ChangeTail, FollowedChanges, Numbered } from './change-tail.ts';

/** The roles of the caller have changed. */
const LOST_ACCESS: ReadonlySet<string> = new Set(['ACCESS_READ_DENIED', 'AUTH_STEP_UP_REQUIRED']);

/** The subscription of one client to the events of one type. */
export interface Following<E extends Numbered> {
  readonly type: string;
  readonly tail: ChangeTail<E>;
  readonly eventOf: (event: PublishedEvent) => E;
  /** The owners that are followed; without it all. */
  readonly owners?: readonly string[];
  readonly ownerOf?: (event: E) => string;
  /** Sequence number after which the client resumes; undefined for a new client. */
  readonly after: number | undefined;
  /** Time that the client waits before it reconnects. */
  readonly retryMs: number;
  /** Maximum of events that are checked and sent together. */
  readonly batch: number;
  /** The texts that the caller may receive now, also of no events; undefined if its session has ended. */
  readonly framesOf: (events: readonly E[]) => Promise<readonly string[] | undefined>;
}

export interface FollowingDependencies {
  readonly events: PublishedEvents;
  readonly encodeEventId: (sequence: number) => string;
  readonly heartbeatMs: number;
}

/**
 * Sends events to a client, as long as the client has access and reads them.
 *
 * Access is checked at the moment of sending: before each batch of events and with each heartbeat. No queue is kept for
 * a slow client: the events that it missed are read from the database.
 *
 * @param send sends text; resolves once the client has received it, rejects if it does not
 * @param signal aborted when the client disconnects or the server closes
 */
export async function followEvents<E extends Numbered>(
  following: Following<E>,
  { events, encodeEventId, heartbeatMs }: FollowingDependencies,
  send: (text: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { tail, after, retryMs, framesOf } = following;
  const wakeSignal = createWakeSignal(signal);
  const followed = await tail.follow(wakeSignal.wake);
  try {
    const isKept = after === undefined || (await events.keepsAllAfter(after));
    let sequence = isKept && after !== undefined ? after : followed.sequence;
    const opening = openingFrame(encodeEventId(sequence), retryMs);
    await send(isKept ? opening : `${opening}${resetFrame(encodeEventId(sequence))}`);
    let quietSinceMs = performance.now();
    while (!signal.aborted) {
      const batch = await nextBatch(followed, sequence, following, events);
      const isAtEnd = batch.sequence === sequence;
      sequence = batch.sequence;
      const quietMs = performance.now() - quietSinceMs;
      const isLongQuiet = quietMs >= heartbeatMs;
      if (batch.events.length > 0 || isLongQuiet) {
        const frames = await framesOf(batch.events);
        if (frames === undefined) return;
        if (frames.length > 0 || isLongQuiet) {
          await send(frames.length > 0 ? frames.join('') : heartbeatFrame(encodeEventId(sequence)));
          quietSinceMs = performance.now();
        }
      } else if (isAtEnd) await wakeSignal.wait(heartbeatMs - quietMs);
    }
  } catch (error) {
    // The client lost its access; the response to its next request reports it.
    if (!isPlatformError(error) || !LOST_ACCESS.has(error.code)) throw error;
  } finally {
    followed.leave();
  }
}

interface Batch<E> {
  readonly events: readonly E[];
  /** Sequence number after which the next batch begins. */
  readonly sequence: number;
}

/** Reads the next batch from memory or, for a follower with a large lag, from the database. */
async function nextBatch<E extends Numbered>(
  followed: FollowedChanges<E>,
  sequence: number,
  { type, owners, ownerOf, eventOf, batch }: Following<E>,
  events: PublishedEvents,
): Promise<Batch<E>> {
  const recent = followed.changesAfter(sequence, batch);
  if (recent !== undefined) {
    // Events of other owners are ignored without further work.
    const own =
      owners === undefined || ownerOf === undefined ? recent : recent.filter((each) => owners.includes(ownerOf(each)));
    return { events: own, sequence: recent.at(-1)?.sequence ?? sequence };
  }
  const upTo = followed.sequence;
  const stored = await events.read({
    after: sequence,
    upTo,
    type,
    ...(owners !== undefined && { owners }),
    limit: batch,
  });
  const last = stored.length < batch ? upTo : stored.at(-1)?.sequence;
  return { events: stored.map(eventOf), sequence: last ?? upTo };
}

interface WakeSignal {
  readonly wake: () => void;
  /** Waits for a notification or the timeout; resolves at once after a notification since the last call. */
  wait(timeoutMs: number): Promise<void>;
}

function createWakeSignal(signal: AbortSignal): WakeSignal {
  let isWoken = false;
  let endWait: (() => void) | undefined;
  const wake = (): void => {
    isWoken = true;
    endWait?.();
  };
  signal.addEventListener('abort', wake);
  return {
    wake,
    async wait(timeoutMs) {
      if (!isWoken)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          endWait = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      endWait = undefined;
      isWoken = false;
    },
  };
}

/** Informs the client that changes were missed: the data that it has read may be outdated. */
const resetFrame = (id: string): string => `event: reset\nid: ${id}\ndata: {}\n\n`;

/** Keeps idle connections open; clients see no event, but resume after `id`. */
const heartbeatFrame = (id: string): string => `id: ${id}\n:\n\n`;

/** The first frame: how long a disconnected client waits, and the id with which it resumes before the first event. */
const openingFrame = (id: string, retryMs: number): string => `retry: ${retryMs}\nid: ${id}\n\n`;
