import { setTimeout as sleep } from 'node:timers/promises';
import { type Envelope, EVENTS, type EventType } from '@lintel/contracts';
import type { Logger } from '@lintel/telemetry';
import type { KeyValueStore } from '../stores/key-value-store.ts';

/** What makes entries of caches stale: the type and the data of an event. */
export interface StaleFact {
  readonly type: EventType;
  readonly data: unknown;
  /** The fact matters only to caches that depend on one of them (`OwnWrites.dependOn`). */
  readonly sources?: readonly string[];
}

/** The part of `EventBus` of `@lintel/events` that is needed. */
interface FactBus {
  publish(envelopes: readonly Envelope[]): Promise<void>;
  isConnected(): boolean;
}

/** The caches of this process. */
export interface AttachedCaches {
  readonly bus: FactBus;
  /** Events that end entries of these caches. */
  readonly types: readonly string[];
  /** Drops the entries that the event makes stale, and resolves when reads get current values. */
  readonly apply: (event: Envelope) => Promise<void>;
}

export interface OwnWrites {
  /**
   * Resolves when no cache of any process has a value that the facts make stale; at the latest after two seconds. A
   * writer waits for it after its commit and before its response, so that clients see their own writes in the next
   * request. It waits only for processes whose caches depend on the facts, and for none while the broker or the store
   * is unavailable: then values are stale as long as after a lost event.
   */
  settle(facts: readonly StaleFact[]): Promise<void>;
  /**
   * Records that caches depend on the sources, before anything is read from them; undefined if that is recorded already.
   * Resolves with whether it is: if not, what is read may not be cached.
   */
  dependOn(sources: readonly string[]): Promise<boolean> | undefined;
  /** Attaches the caches of this process; returns which further events must be handled, and how. */
  attach(caches: AttachedCaches): { readonly types: readonly string[]; handle(event: Envelope): Promise<void> };
  /** Whether events arrive. Others wait for this process only while they do. */
  follow(connected: boolean): Promise<void>;
  close(): Promise<void>;
}

export interface OwnWritesOptions {
  /** The service; `settle` works in those that publish `<service>.caches.outdated.v1`. */
  readonly service: string;
  readonly store: Pick<KeyValueStore, 'set' | 'getMany' | 'delete' | 'addToSet' | 'removeFromSet' | 'membersOf'>;
  readonly newId: () => string;
  readonly logger: Pick<Logger, 'warn'>;
}

const OUTDATED = '.caches.outdated.v1';
const OUTDATED_TYPES = ['data', 'auth'].map((owner) => `${owner}${OUTDATED}`);

const MEMBERS = 'caches';
const typesKey = (member: string): string => `caches:${member}`;
const confirmationsKey = (id: string): string => `caches:confirmed:${id}`;

const SOURCES = 'caches:sources';
const SOURCE_TTL_MS = 3 * 3_600_000;
const RENEW_SOURCE_MS = 30_000;

const RENEW_MS = 5_000;
/** A process that ended without leaving is waited for at most this long. */
const MEMBER_TTL_MS = 15_000;
const CONFIRMED_TTL_MS = 10_000;
const MAX_CONFIRM_MS = 1_500;
const MAX_WAIT_MS = 2_000;
const MAX_POLL_MS = 16;

/** @param options `store` is the one that all processes share */
export function createOwnWrites({ service, store, newId, logger }: OwnWritesOptions): OwnWrites {
  const self = `${service}-${newId()}`;
  let attached: AttachedCaches | undefined;
  /** When they were recorded last, by source. */
  const recordedMs = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function settleAll(caches: AttachedCaches, facts: readonly StaleFact[], endMs: number): Promise<void> {
    const depended = new Set(facts.some(({ sources }) => sources !== undefined) ? await store.membersOf(SOURCES) : []);
    const mattering = facts.filter(({ sources }) => sources?.some((source) => depended.has(source)) ?? true);
    if (mattering.length === 0) return;
    const event = outdated(mattering.map(({ type, data }) => ({ type, data })));
    await Promise.all([applyAll(caches, event), settleOthers(caches.bus, event, endMs)]);
  }

  const outdated = (facts: readonly StaleFact[]): Envelope => ({
    specversion: '1.0',
    id: newId(),
    source: `/lintel/${service}`,
    type: `${service}${OUTDATED}`,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    data: { facts, by: self },
  });

  async function settleOthers(bus: FactBus, event: Envelope, endMs: number): Promise<void> {
    if (!bus.isConnected()) return;
    const others = await othersWith(factsOf(event));
    if (others.length === 0) return;
    await bus.publish([event]);
    const missing = await awaitConfirmations(event.id, others, endMs);
    if (missing.length === 0) return;
    logger.warn({ missing }, 'caches of other processes did not confirm a write');
    // A process that goes on enters again; until then nobody waits for it.
    await store.removeFromSet(MEMBERS, ...missing);
  }

  async function othersWith(facts: readonly StaleFact[]): Promise<readonly string[]> {
    const members = (await store.membersOf(MEMBERS)).filter((member) => member !== self);
    if (members.length === 0) return [];
    const types = await store.getMany(members.map(typesKey));
    const ended = members.filter((_, at) => types[at] === undefined);
    if (ended.length > 0) await store.removeFromSet(MEMBERS, ...ended);
    return members.filter((_, at) => facts.some(({ type }) => types[at]?.split(' ').includes(type) === true));
  }

  /** @returns the members that have not confirmed at the end */
  async function awaitConfirmations(id: string, members: readonly string[], endMs: number): Promise<readonly string[]> {
    for (let delayMs = 1; ; delayMs = Math.min(2 * delayMs, MAX_POLL_MS)) {
      await sleep(delayMs);
      const confirmed = await store.membersOf(confirmationsKey(id));
      const missing = members.filter((member) => !confirmed.includes(member));
      if (missing.length === 0 || performance.now() > endMs) return missing;
    }
  }

  async function record(sources: readonly string[], now: number): Promise<boolean> {
    try {
      await Promise.all(sources.map((source) => store.addToSet(SOURCES, source, SOURCE_TTL_MS)));
    } catch (err) {
      logger.warn({ err }, 'results of queries are not cached: their tables cannot be recorded');
      return false;
    }
    for (const source of sources) recordedMs.set(source, now);
    return true;
  }

  async function confirm(caches: AttachedCaches, event: Envelope): Promise<void> {
    const { facts, by } = EVENTS['data.caches.outdated.v1'].schema.parse(event.data);
    if (by === self || !facts.some(({ type }) => caches.types.includes(type))) return;
    await applyAll(caches, event);
    await store.addToSet(confirmationsKey(event.id), self, CONFIRMED_TTL_MS);
  }

  async function enter(): Promise<void> {
    try {
      await store.set(typesKey(self), attached?.types.join(' ') ?? '', MEMBER_TTL_MS);
      await store.addToSet(MEMBERS, self, MEMBER_TTL_MS);
    } catch (err) {
      logger.warn({ err }, 'writers in other processes do not wait for the caches of this one');
    }
  }

  async function follow(connected: boolean): Promise<void> {
    clearInterval(timer);
    // Without the store, the key expires.
    if (!connected) return store.delete(typesKey(self)).catch(() => undefined);
    timer = setInterval(() => void enter(), RENEW_MS).unref();
    await enter();
  }

  return {
    async settle(facts) {
      if (attached === undefined || facts.length === 0) return;
      const endMs = performance.now() + MAX_CONFIRM_MS;
      const ended = new AbortController();
      const timeout = sleep(MAX_WAIT_MS, undefined, { signal: ended.signal }).catch(() => undefined);
      const settling = settleAll(attached, facts, endMs).catch((err: unknown) => {
        const types = facts.map(({ type }) => type);
        logger.warn({ err, types }, 'a write may not be seen everywhere yet');
      });
      await Promise.race([settling, timeout]);
      ended.abort();
    },
    dependOn(sources) {
      const now = performance.now();
      const missing = sources.filter((source) => now - (recordedMs.get(source) ?? -Infinity) > RENEW_SOURCE_MS);
      return missing.length === 0 ? undefined : record(missing, now);
    },
    attach(caches) {
      attached = caches;
      return { types: OUTDATED_TYPES, handle: (event) => confirm(caches, event) };
    },
    follow,
    close: () => follow(false),
  };
}

const factsOf = ({ data }: Envelope): readonly StaleFact[] => (data as { readonly facts: readonly StaleFact[] }).facts;

async function applyAll({ types, apply }: AttachedCaches, event: Envelope): Promise<void> {
  const facts = factsOf(event).filter(({ type }) => types.includes(type));
  await Promise.all(facts.map(({ type, data }) => apply({ ...event, type, data })));
}
