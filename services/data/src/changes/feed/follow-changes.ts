import { type Entity, entityOf, familyTreeOf, type Model } from '@lintel/metadata';
import type { CallerAccess } from '@lintel/reading';
import type { Counter } from '@lintel/telemetry';
import type { Semaphore } from '@lintel/timing';
import { CHANGE_TYPE, changeOf, type EntityChange, idJson } from '../entity-change.ts';
import { SentInstances } from '../sent-instances.ts';
import { needsRowLookup, type VisibleChange, type VisibleRows, visibleChanges } from '../visible-changes.ts';
import type { ChangeTail } from './change-tail.ts';
import { type FollowingDependencies, followEvents } from './follow-events.ts';

/** Maximum of changes that are checked and sent together. */
const BATCH = 200;
/** Maximum of instances whose removal is sent to a caller with row-level rules; each needs some hundred bytes. */
const MAX_SENT_INSTANCES = 1_000;

/** The subscription of one client. */
export interface FollowedEntity {
  readonly entity: Entity;
  /** Values that changes must have set; without it all changes. */
  readonly became?: Readonly<Record<string, unknown>> | undefined;
  /** Sequence number after which the client resumes; undefined for a new client. */
  readonly after: number | undefined;
  /** Time that the client waits before it reconnects. */
  readonly retryMs: number;
  /** Name of the user who receives the changes. */
  readonly username: string;
}

export interface FollowDependencies extends FollowingDependencies {
  readonly model: Model;
  readonly tail: ChangeTail<EntityChange>;
  readonly visibleRows: VisibleRows;
  /** Limits the statements that look up visible rows. */
  readonly rowQueries: Pick<Semaphore, 'run'>;
  /** The current access of the caller; undefined if the session has ended. */
  readonly loadAccess: () => Promise<CallerAccess | undefined>;
  /** Counts the changes sent. */
  readonly sent: Readonly<Record<VisibleChange['kind'] | 'published', Counter>>;
}

/** Sends the changes of an entity to a client; see {@link followEvents}. */
export async function followChanges(
  { entity, became, after, retryMs, username }: FollowedEntity,
  deps: FollowDependencies,
  send: (text: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { model, tail, encodeEventId } = deps;
  const sent = new SentInstances(MAX_SENT_INSTANCES);
  const owners = familyTreeOf(model, entity).map(({ name }) => name);
  const ofEntity = {
    type: CHANGE_TYPE,
    tail,
    eventOf: changeOf,
    owners,
    ownerOf: (change: EntityChange) => change.entity,
  };
  const framesOf = async (changes: readonly EntityChange[]) => {
    const chosen = became === undefined ? changes : changes.filter((change) => hasBecome(change, became));
    const visible = await changesToSend(chosen, entity, sent, deps, signal);
    const shown = became === undefined ? visible : visible?.filter((change) => showsCondition(change, became));
    for (const { kind } of shown ?? []) deps.sent[kind].add(1);
    return shown?.map((change) => changeFrame(change, model, encodeEventId(change.sequence), username));
  };
  await followEvents({ ...ofEntity, after, retryMs, batch: BATCH, framesOf }, deps, send, signal);
}

const hasBecome = (change: EntityChange, became: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(became).every(([name, value]) => change.became?.[name] === value);

/** A message says the new values: to those who see the attributes, and never of an instance that is hidden now. */
const showsCondition = ({ kind, attributes }: VisibleChange, became: Readonly<Record<string, unknown>>): boolean =>
  kind !== 'removed' && Object.keys(became).every((name) => attributes.includes(name));

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
