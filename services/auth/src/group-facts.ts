/** So many facts are an event each: services of an earlier version read only the first of an event with several. */
const MAX_SINGLE = 20;
/** Facts of one event: some 20 KB. */
const MAX_GROUPED = 500;

/** Things that ended together, first and all of each group. Of few each is a group; of many a group has up to 500. */
export function groupFacts<T>(all: readonly T[]): readonly { readonly first: T; readonly group: readonly T[] }[] {
  const size = all.length > MAX_SINGLE ? MAX_GROUPED : 1;
  return all.flatMap((first, at) => (at % size === 0 ? [{ first, group: all.slice(at, at + size) }] : []));
}
