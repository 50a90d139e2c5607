import { isPlatformError } from '@lintel/errors';
import { type Entity, entityOf, familyTreeOf, type Model } from '@lintel/metadata';
import type { PublishedEvents } from '@lintel/persistence';
import type { CallerAccess } from '@lintel/reading';
import type { Counter } from '@lintel/telemetry';
import type { Semaphore } from '@lintel/timing';
import { CHANGE_TYPE, changeOf, type EntityChange, idJson } from '../entity-change.ts';
import { SentInstances } from '../sent-instances.ts';
import { needsRowLookup, type VisibleChange, type VisibleRows, visibleChanges } from '../visible-changes.ts';
import type { ChangeTail, FollowedChanges } from './change-tail.ts';

/** Maximum of changes that are checked and sent together. */
const BATCH = 200;
/** Maximum of instances whose removal is sent to a caller with row-level rules; each needs some hundred bytes. */
const MAX_SENT_INSTANCES = 1_000;
/** The roles of the caller have changed. */
const LOST_ACCESS: ReadonlySet<string> = new Set(['ACCESS_READ_DENIED', 'AUTH_STEP_UP_REQUIRED']);

/** The subscription of one client. */
export interface FollowedEntity {
  readonly entity: Entity;
  /** Sequence number after which the client resumes; undefined for a new client. */
  readonly after: number | undefined;
  /** Time that the client waits before it reconnects. */
  readonly retryMs: number;
  /** Name of the user who receives the changes. */
  readonly username: string;
}

export interface FollowDependencies {
  readonly model: Model;
  readonly tail: ChangeTail;
  readonly events: PublishedEvents;
  readonly visibleRows: VisibleRows;
  /** Limits the statements that look up visible rows. */
  readonly rowQueries: Pick<Semaphore, 'run'>;
  /** The current access of the caller; undefined if the session has ended. */
  readonly loadAccess: () => Promise<CallerAccess | undefined>;
  readonly encodeEventId: (sequence: number) => string;
  readonly heartbeatMs: number;
  /** Counts the changes sent. */
  readonly sent: Readonly<Record<VisibleChange['kind'], Counter>>;
}

/**
 * Sends the changes of an entity to a client, as long as the client has access and reads them.
 *
 * Access is checked at the moment of sending: the session is loaded again before each batch of changes and with each
 * heartbeat. No queue is kept for a slow client: the changes that it missed are read from the database.
 *
 * @param send sends text; resolves once the client has received it, rejects if it does not
 * @param signal aborted when the client disconnects or the server closes
 */
export async function followChanges(
  { entity, after, retryMs, username }: FollowedEntity,
  deps: FollowDependencies,
  send: (text: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { model, encodeEventId } = deps;
  const wakeSignal = createWakeSignal(signal);
  const followed = await deps.tail.follow(wakeSignal.wake);
  try {
    const isKept = after === undefined || (await deps.events.keepsAllAfter(after));
    let sequence = isKept && after !== undefined ? after : followed.sequence;
    const opening = openingFrame(encodeEventId(sequence), retryMs);
    await send(isKept ? opening : `${opening}${resetFrame(encodeEventId(sequence))}`);
    const sent = new SentInstances(MAX_SENT_INSTANCES);
    const owners = familyTreeOf(model, entity).map(({ name }) => name);
    let quietSinceMs = performance.now();
    while (!signal.aborted) {
      const batch = await nextBatch(followed, sequence, owners, deps.events);
      const isAtEnd = batch.sequence === sequence;
      sequence = batch.sequence;
      const quietMs = performance.now() - quietSinceMs;
      const isLongQuiet = quietMs >= deps.heartbeatMs;
      if (batch.changes.length > 0 || isLongQuiet) {
        const visible = await changesToSend(batch.changes, entity, sent, deps, signal);
        if (visible === undefined) return;
        if (visible.length > 0 || isLongQuiet) {
          const frames = visible.map((change) => changeFrame(change, model, encodeEventId(change.sequence), username));
          await send(frames.length > 0 ? frames.join('') : heartbeatFrame(encodeEventId(sequence)));
          for (const { kind } of visible) deps.sent[kind].add(1);
          quietSinceMs = performance.now();
        }
      } else if (isAtEnd) await wakeSignal.wait(deps.heartbeatMs - quietMs);
    }
  } catch (error) {
    // The client lost its access; the response to its next request reports it.
    if (!isPlatformError(error) || !LOST_ACCESS.has(error.code)) throw error;
  } finally {
    followed.leave();
  }
}

/**
 * The changes that the caller may receive now; undefined if its session has ended. If a statement is necessary, the
 * access is loaded again after the wait for a permit, so that a right that was removed meanwhile is not used.
 */
async function changesToSend(
  changes: readonly EntityChange[],
  entity: Entity,
  sent: SentInstances,
  deps: FollowDependencies,
  signal: AbortSignal,
): Promise<readonly VisibleChange[] | undefined> {
  const { model, loadAccess } = deps;
  const visibleRows: VisibleRows = (of, ids, access) => deps.visibleRows(of, ids, access, signal);
  const visibleTo = async (access: CallerAccess | undefined) =>
    access && visibleChanges(changes, entity, { access, sent }, model, visibleRows);
  const access = await loadAccess();
  if (access === undefined || changes.length === 0 || !needsRowLookup(entity, access, model)) return visibleTo(access);
  return deps.rowQueries.run(async () => visibleTo(await loadAccess()), { signal });
}

interface Batch {
  /** Names of the entity and its descendants. */
  readonly changes: readonly EntityChange[];
  /** Sequence number after which the next batch begins. */
  readonly sequence: number;
}

/** Reads the next batch from memory or, for a follower with a large lag, from the database. */
async function nextBatch(
  followed: FollowedChanges,
  sequence: number,
  owners: readonly string[],
  events: PublishedEvents,
): Promise<Batch> {
  const recent = followed.changesAfter(sequence, BATCH);
  if (recent !== undefined) {
    // Changes of other entities are ignored without further work.
    const changes = recent.filter((change) => owners.includes(change.entity));
    return { changes, sequence: recent.at(-1)?.sequence ?? sequence };
  }
  const upTo = followed.sequence;
  const stored = await events.read({ after: sequence, upTo, type: CHANGE_TYPE, owners, limit: BATCH });
  const last = stored.length < BATCH ? upTo : stored.at(-1)?.sequence;
  return { changes: stored.map(changeOf), sequence: last ?? upTo };
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

/**
 * A change as an event of the stream (WHATWG HTML, server-sent events). A client resumes after `id`.
 *
 * @param username the receiver: the trace of a request is sent to the user who has made it, and to no other
 */
function changeFrame(change: VisibleChange, model: Model, id: string, username: string): string {
  const { entity, kind, attributes, origin } = change;
  const key = idJson(model, entityOf(model, entity), change.id);
  const named = kind === 'removed' || kind === 'deleted' ? '' : `,"attributes":${JSON.stringify(attributes)}`;
  const trace = origin?.username === username ? `,"trace":"${origin.traceId}"` : '';
  const data = `{"entity":${JSON.stringify(entity)},"id":${key},"change":"${kind}"${named}${trace}}`;
  return `event: ${kind}\nid: ${id}\ndata: ${data}\n\n`;
}

/** Informs the client that changes were missed: the data that it has read may be outdated. */
const resetFrame = (id: string): string => `event: reset\nid: ${id}\ndata: {}\n\n`;

/** Keeps idle connections open; clients see no event, but resume after `id`. */
const heartbeatFrame = (id: string): string => `id: ${id}\n:\n\n`;

/** The first frame: how long a disconnected client waits, and the id with which it resumes before the first event. */
const openingFrame = (id: string, retryMs: number): string => `retry: ${retryMs}\nid: ${id}\n\n`;
