/**
 * The names with those changed that generators of code would spell as an earlier one: `entityName` and `_entityName` are
 * one identifier in most languages. The changed ones end with `_2`, `_3` and so on.
 */
export function distinctNames(names: Iterable<string>): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const distinct = new Map<string, string>();
  for (const name of names) {
    let changed = name;
    for (let at = 2; taken.has(identifierOf(changed)); at += 1) changed = `${name}_${at}`;
    taken.add(identifierOf(changed));
    distinct.set(name, changed);
  }
  return distinct;
}

/** What the identifiers that generators make of a name have in common. */
export const identifierOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
