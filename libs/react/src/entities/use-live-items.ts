import type { Change, Client } from '@lintel/client';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useChanges } from '../changes/use-changes.ts';
import { useClient } from '../model/lintel-provider.ts';
import { valueAt } from '../paths/resolve-path.ts';
import type { EntityName } from '../register.ts';
import { idSegment } from './keys.ts';

/** Changes of the same moment are read together. */
const COLLECTED_MS = 200;
/** More instances are read by the next request for the list. */
const MAX_READ = 10;

/** How the items of a list are kept current. */
export interface LiveItemsOptions {
  /** The plan of the list, as a literal, with which a changed item is read. */
  readonly fetchPlan: object;
  /** What the list shows, as paths: `customer.name`. */
  readonly paths: readonly string[];
  /** Whether the list has attributes that administrators have defined; false by default. */
  readonly dynamicAttributes?: boolean | undefined;
  /** Called if the user may not have the feed. */
  readonly onFeedError?: ((error: unknown) => void) | undefined;
}

/** The items of a list with what others have changed. */
export interface LiveItems<T> {
  /** The items with their current values; undefined until the list is read. */
  readonly items: readonly T[] | undefined;
  /** The paths whose values have changed, by the keys of the items: `idSegment(item.id)`. */
  readonly changed: ReadonlyMap<string, ReadonlySet<string>>;
  /** Keys of the items that were deleted, or that the user can no longer see. */
  readonly removed: ReadonlySet<string>;
  /** How many changes need the list to be read again: new and deleted items, and those that were not read. */
  readonly pending: number;
}

interface Live<T> {
  readonly of: readonly T[] | undefined;
  readonly items: ReadonlyMap<string, T>;
  readonly changed: ReadonlyMap<string, ReadonlySet<string>>;
  readonly removed: ReadonlySet<string>;
  readonly pending: number;
}

const start = <T>(of: readonly T[] | undefined): Live<T> => ({
  of,
  items: new Map(),
  changed: new Map(),
  removed: new Set(),
  pending: 0,
});

/**
 * The items of a list with what others change meanwhile: new values are there at once, and no item moves. New and
 * deleted ones are counted until the list is read again, which begins anew. Changes by requests of this client are left
 * out: the page that has sent them reads the list again.
 */
export function useLiveItems<T extends object>(
  entity: EntityName,
  items: readonly T[] | undefined,
  { fetchPlan, paths, dynamicAttributes, onFeedError }: LiveItemsOptions,
): LiveItems<T> {
  const client = useClient() as unknown as Client;
  const [stored, setStored] = useState<Live<T>>(() => start(items));
  const live = stored.of === items ? stored : start(items);
  const latest = useRef({ items, fetchPlan, paths, dynamicAttributes });
  latest.current = { items, fetchPlan, paths, dynamicAttributes };
  const waiting = useRef(new Set<string>());
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);

  const update = (change: (live: Live<T>) => Live<T>): void =>
    setStored((before) => {
      const current = latest.current.items;
      return change(before.of === current ? before : start(current));
    });
  const count = (number: number): void => update((before) => ({ ...before, pending: before.pending + number }));
  const remove = (key: string): void => update((before) => ({ ...before, removed: new Set([...before.removed, key]) }));
  const isShown = (key: string): boolean => latest.current.items?.some((item) => keyOf(item) === key) === true;

  async function readItem(key: string, signal: AbortSignal | undefined): Promise<void> {
    const { items: shown, paths: compared, ...options } = latest.current;
    const stale = shown?.find((item) => keyOf(item) === key);
    if (stale === undefined) return;
    const found = (await client.load(entity, idOf(stale) as string, { ...options, signal })) as T | undefined;
    if (found === undefined) remove(key);
    else update((before) => withItem(before, key, stale, found, compared));
  }

  function readWaiting(): void {
    const signal = leaving.current?.signal;
    if (signal?.aborted === true) return;
    const keys = [...waiting.current];
    waiting.current.clear();
    if (keys.length > MAX_READ) count(keys.length);
    else for (const key of keys) void readItem(key, signal).catch(() => signal?.aborted !== true && count(1));
  }

  function follow(change: Change): void {
    if (change.change === 'reset') count(1);
    if (change.change === 'reset' || change.isOwn) return;
    const key = idSegment(change.id);
    if (change.change !== 'updated') {
      if (isShown(key)) remove(key);
      count(1);
    } else if (isShown(key)) {
      if (waiting.current.size === 0) setTimeout(readWaiting, COLLECTED_MS);
      waiting.current.add(key);
    }
  }

  useChanges(entity, follow, { onError: onFeedError });
  const shown = useMemo(() => items?.map((item) => live.items.get(keyOf(item) ?? '') ?? item), [items, live.items]);
  return { items: shown, changed: live.changed, removed: live.removed, pending: live.pending };
}

const idOf = (item: object): unknown => (item as { readonly id?: unknown }).id;

/** An entity without a key has none. */
function keyOf(item: object): string | undefined {
  const id = idOf(item);
  return id === undefined || id === null ? undefined : idSegment(id);
}

function withItem<T extends object>(live: Live<T>, key: string, stale: T, found: T, paths: readonly string[]): Live<T> {
  const known = live.items.get(key) ?? stale;
  const differing = paths.filter(
    (path) => JSON.stringify(valueAt(known, path)) !== JSON.stringify(valueAt(found, path)),
  );
  return {
    ...live,
    items: new Map([...live.items, [key, found]]),
    changed: new Map([...live.changed, [key, new Set([...(live.changed.get(key) ?? []), ...differing])]]),
  };
}
