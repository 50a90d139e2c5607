/** Keys with a time to live: Redis between processes, memory inside one. */
export interface KeyValueStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  delete(...keys: readonly string[]): Promise<void>;
  /** Adds to a counter that ends `ttlMs` after its first increment; answers the new value. */
  increment(key: string, ttlMs: number): Promise<number>;
  /** Members of a set; each `add` extends the set's life to at least `ttlMs`. */
  addToSet(key: string, member: string, ttlMs: number): Promise<void>;
  removeFromSet(key: string, member: string): Promise<void>;
  membersOf(key: string): Promise<readonly string[]>;
  isReady(): Promise<boolean>;
  /** Rejects with why it is not ready. */
  assertReady(): Promise<void>;
  close(): Promise<void>;
}
