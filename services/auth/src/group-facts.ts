/** Up to this number each fact is an event: services of an earlier version read only the first fact of an event. */
const MAX_SINGLE = 20;
/** Maximum number of facts of one event, about 20 KB. */
const MAX_GROUPED = 500;

/** Groups facts for events. Of few facts each is a group; of many, a group has up to 500. */
export function groupFacts<T>(all: readonly T[]): readonly { readonly first: T; readonly group: readonly T[] }[] {
  const size = all.length > MAX_SINGLE ? MAX_GROUPED : 1;
  return all.flatMap((first, at) => (at % size === 0 ? [{ first, group: all.slice(at, at + size) }] : []));
}
