import { isPlatformError } from '@lintel/errors';
import { type Entity, familyTreeOf, type Model } from '@lintel/metadata';
import type { PublishedEvents } from '@lintel/persistence';
import type { Counter } from '@lintel/telemetry';
import type { CallerAccess } from '../../entities/read-dependencies.ts';
import { CHANGE_TYPE, changeOf, type EntityChange } from '../entity-change.ts';
import { ToldInstances } from '../told-instances.ts';
import { asksForRows, type VisibleChange, type VisibleRows, visibleChanges } from '../visible-changes.ts';
import type { ChangeTail, FollowedChanges } from './change-tail.ts';
import type { InTurn } from './in-turns.ts';
import { changeFrame, heartbeatFrame, openingFrame, resetFrame } from './write-frames.ts';

/** Changes that are decided on, and sent, together. */
const BATCH = 200;
/** Instances whose end a caller with row-level rules is told; each some hundred bytes. */
const MOST_TOLD = 1_000;

/** What one client follows. */
export interface FollowedEntity {
  readonly entity: Entity;
  /** Where the client resumes; undefined for one that begins. */
  readonly after: number | undefined;
  /** What the client waits before it comes again. */
  readonly retryMs: number;
}

export interface FollowDependencies {
  readonly model: Model;
  readonly tail: ChangeTail;
  readonly events: PublishedEvents;
  readonly visibleRows: VisibleRows;
  /** The line of those who need statements to know what they may be told. */
  readonly inTurn: InTurn;
  /** What the caller may see now; undefined where the session has ended. */
  readonly loadAccess: () => Promise<CallerAccess | undefined>;
  readonly sealPlace: (place: number) => string;
  readonly heartbeatMs: number;
  /** Counts what is told. */
  readonly told: Readonly<Record<VisibleChange['kind'], Counter>>;
}

/**
 * Sends the changes of an entity to a client, as long as it may see them and takes them.
 *
 * Access is that of the moment: before each batch of changes, and with each heartbeat, the session is asked for
 * anew. Nothing is kept for a client that is slow: it is behind, and gets what it missed from the database.
 *
 * @param send takes text; resolves once the client has taken it, rejects where it does not
 * @param signal the client has left, or the server closes
 */
export async function followChanges(
  { entity, after, retryMs }: FollowedEntity,
  deps: FollowDependencies,
  send: (text: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { model, sealPlace } = deps;
  const bell = createBell(signal);
  const followed = await deps.tail.follow(bell.ring);
  try {
    const isKept = after === undefined || (await deps.events.keepsAllAfter(after));
    let place = isKept && after !== undefined ? after : followed.place;
    const opening = openingFrame(sealPlace(place), retryMs);
    await send(isKept ? opening : `${opening}${resetFrame(sealPlace(place))}`);
    const told = new ToldInstances(MOST_TOLD);
    const owners = familyTreeOf(model, entity).map(({ name }) => name);
    let quietSinceMs = performance.now();
    while (!signal.aborted) {
      const batch = await nextBatch(followed, place, owners, deps.events);
      const isAtEnd = batch.place === place;
      place = batch.place;
      const quietMs = performance.now() - quietSinceMs;
      const isLongQuiet = quietMs >= deps.heartbeatMs;
      if (batch.changes.length > 0 || isLongQuiet) {
        const visible = await whatToTell(batch.changes, entity, told, deps, signal);
        if (visible === undefined) return;
        if (visible.length > 0 || isLongQuiet) {
          const frames = visible.map((change) => changeFrame(change, model, sealPlace(change.place)));
          await send(frames.length > 0 ? frames.join('') : heartbeatFrame(sealPlace(place)));
          for (const { kind } of visible) deps.told[kind].add(1);
          quietSinceMs = performance.now();
        }
      } else if (isAtEnd) await bell.rings(deps.heartbeatMs - quietMs);
    }
  } catch (error) {
    // The right has ended: the client hears of it when it comes again.
    if (!isPlatformError(error) || error.code !== 'ACCESS_READ_DENIED') throw error;
  } finally {
    followed.leave();
  }
}

/**
 * What the caller may be told now; undefined where its session has ended. Whoever needs a statement for that waits for
 * a turn, and is told what it may know when it has it: rights that end while it waits have ended.
 */
async function whatToTell(
  changes: readonly EntityChange[],
  entity: Entity,
  told: ToldInstances,
  deps: FollowDependencies,
  signal: AbortSignal,
): Promise<readonly VisibleChange[] | undefined> {
  const { model, loadAccess } = deps;
  const visibleRows: VisibleRows = (of, ids, access) => deps.visibleRows(of, ids, access, signal);
  const tell = async (access: CallerAccess | undefined) =>
    access && visibleChanges(changes, entity, { access, told }, model, visibleRows);
  const access = await loadAccess();
  if (access === undefined || changes.length === 0 || !asksForRows(entity, access, model)) return tell(access);
  return deps.inTurn(async () => tell(await loadAccess()), signal);
}

interface Batch {
  /** Of the entity and its descendants. */
  readonly changes: readonly EntityChange[];
  /** Where the next one begins. */
  readonly place: number;
}

/** From memory, or, for one who is far behind, from the database. */
async function nextBatch(
  followed: FollowedChanges,
  place: number,
  owners: readonly string[],
  events: PublishedEvents,
): Promise<Batch> {
  const recent = followed.behind(place, BATCH);
  if (recent !== undefined) {
    // Most changes are of other entities: they cost nothing more.
    const changes = recent.filter((change) => owners.includes(change.entity));
    return { changes, place: recent.at(-1)?.place ?? place };
  }
  const upTo = followed.place;
  const stored = await events.read({ after: place, upTo, type: CHANGE_TYPE, owners, limit: BATCH });
  const last = stored.length < BATCH ? upTo : stored.at(-1)?.place;
  return { changes: stored.map(changeOf), place: last ?? upTo };
}

interface Bell {
  readonly ring: () => void;
  /** Waits until it rings, no longer than that; not at all where it has since the last time. */
  rings(timeoutMs: number): Promise<void>;
}

function createBell(signal: AbortSignal): Bell {
  let hasRung = false;
  let answer: (() => void) | undefined;
  const ring = (): void => {
    hasRung = true;
    answer?.();
  };
  signal.addEventListener('abort', ring);
  return {
    ring,
    async rings(timeoutMs) {
      if (!hasRung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          answer = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      answer = undefined;
      hasRung = false;
    },
  };
}
