/** Tags of the instances that this module has read; they end with the instances. */
const TAGS = new WeakMap<object, string>();

/** Keeps the `ETag` of an instance. */
export function keepTag(instance: unknown, tag: string | null): void {
  if (tag !== null && typeof instance === 'object' && instance !== null) TAGS.set(instance, tag);
}

/** The `ETag` of an instance that `load` or a write returned; lists have none. */
export const tagOf = (instance: object): string | undefined => TAGS.get(instance);

/** The header `If-Match` for an instance or its tag. */
export function ifMatchHeader(expected: object | string | undefined): string | undefined {
  if (typeof expected !== 'object') return expected;
  const tag = tagOf(expected);
  if (tag === undefined) throw new TypeError('This object has no tag: pass the instance that load or a write returned');
  return tag;
}
