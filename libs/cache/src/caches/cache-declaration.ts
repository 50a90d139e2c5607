import type { EventType } from '@lintel/contracts';

/** Declares what a cache contains and how long it may be stale; `docs/reference/caches.md` is generated from it. */
export interface CacheFacts {
  /** In metrics as the label `cache`. */
  readonly name: string;
  /** The content of an entry. */
  readonly holds: string;
  /** The services whose processes have one. */
  readonly where: readonly string[];
  /** The key of an entry. */
  readonly keyedBy: string;
  /** When there are more, the least recently used entry is evicted. */
  readonly maxEntries: number;
  /** The size of all entries together, with its unit; for entries of very different sizes. */
  readonly maxSize?: { readonly max: number; readonly unit: string };
  /** Events after which an entry may be wrong. */
  readonly invalidatedBy: readonly EventType[];
  /**
   * How old a value may be when an event was lost: `svc.cache.max-staleness`, or another time in
   * milliseconds. `of its versions`: the key contains the versions of everything that determines the value, so an entry
   * is never stale, only evicted.
   */
  readonly staleness: 'max-staleness' | 'of its versions' | number;
  /**
   * When clients see their own changes, whichever process responds: `before the response` if writers wait for this cache
   * (`OwnWrites`), or another time with its reason. Absent only for entries that are never stale.
   */
  readonly ownWrites?: string;
  /** The behaviour for callers while the source of the values is unavailable. */
  readonly whileAway: string;
}

declare const declared: unique symbol;

/** Facts that are on the page; only `declareCache` creates a value of this type. */
export type CacheDeclaration = CacheFacts & { readonly [declared]: true };

const declarations = new Map<string, CacheDeclaration>();

/**
 * Declares a cache; to be done once, when the module with the cache is loaded.
 *
 * @throws Error if the name is used already, if an entry that is never stale has invalidating events, or if another one
 *   does not say when own changes are seen
 */
export function declareCache(facts: CacheFacts): CacheDeclaration {
  if (declarations.has(facts.name)) throw new Error(`There are two caches named ${facts.name}`);
  if (facts.staleness === 'of its versions' && facts.invalidatedBy.length > 0)
    throw new Error(`What the cache ${facts.name} holds never changes, so no event makes it wrong`);
  if (facts.staleness !== 'of its versions' && facts.ownWrites === undefined)
    throw new Error(`The cache ${facts.name} does not declare when clients see their own changes`);
  const declaration = Object.freeze(facts) as CacheDeclaration;
  declarations.set(facts.name, declaration);
  return declaration;
}

/** Declarations of all modules that are loaded, by name. */
export const declaredCaches = (): readonly CacheDeclaration[] =>
  [...declarations.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'));
