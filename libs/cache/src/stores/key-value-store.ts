/** Keys with a time to live: Redis between processes, memory inside one. */
export interface KeyValueStore {
  get(key: string): Promise<string | undefined>;
  /** Values of several keys, in their order. */
  getMany(keys: readonly string[]): Promise<readonly (string | undefined)[]>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  delete(...keys: readonly string[]): Promise<void>;
  /** Adds to a counter that expires `ttlMs` after its first increment; returns the new value. */
  increment(key: string, ttlMs: number): Promise<number>;
  /** Members of a set; each `add` extends the set's life to at least `ttlMs`. */
  addToSet(key: string, member: string, ttlMs: number): Promise<void>;
  removeFromSet(key: string, ...members: readonly string[]): Promise<void>;
  membersOf(key: string): Promise<readonly string[]>;
  /**
   * Adds a new member that expires after `ttlMs` to a list of at most `max`. If it would have more, the members that
   * expire first are removed.
   *
   * @returns those that were removed for it
   */
  addToBoundedList(key: string, member: string, ttlMs: number, max: number): Promise<readonly string[]>;
  removeFromBoundedList(key: string, member: string): Promise<void>;
  /** Rejects with the reason if the store is not ready. */
  assertReady(): Promise<void>;
  close(): Promise<void>;
}
