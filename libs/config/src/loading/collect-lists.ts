import { normalKey } from '../key-names.ts';
import { originOf, type PropertySource } from '../sources/property-source.ts';

/** One value of a source. */
export interface CollectedValue {
  /** Without brackets. */
  readonly key: string;
  /** The key as the source spells it; of a list the key of its first item. */
  readonly spelled: string;
  readonly text: string | readonly string[];
}

/** The values of a source, those of lists whole. */
export interface CollectedValues {
  readonly values: readonly CollectedValue[];
  readonly problems: readonly string[];
}

/**
 * Puts the items of lists together: `name[0]`, `name[1]`, and in the environment, which has no brackets, `NAME_0`
 * (or `NAME_0_`) where `NAME` is a list. A name in brackets, `name[key]`, is the key of a map.
 */
export function collectLists(source: PropertySource, isList: (key: string) => boolean): CollectedValues {
  const values: CollectedValue[] = [];
  const lists = new Map<string, { readonly key: string; readonly spelled: string; readonly items: string[] }>();
  for (const [spelled, text] of Object.entries(source.values)) {
    const key = spelled.replaceAll(/\[([^\]]*[^\]\d][^\]]*)\]/g, '.$1');
    const [, name, index] = /^(.+)\[(\d{1,4})\]$/.exec(key) ?? /^(.+)_(\d{1,4})_?$/.exec(key) ?? [];
    if (name === undefined || index === undefined || !isList(name)) {
      values.push({ key, spelled, text });
      continue;
    }
    const list = lists.get(normalKey(name)) ?? { key: name, spelled, items: [] };
    list.items[Number(index)] = text;
    lists.set(normalKey(name), list);
  }
  const wholes = new Set(values.map(({ key }) => normalKey(key)));
  const problems: string[] = [];
  for (const [name, { key, spelled, items }] of lists) {
    const gap = Array.from(items).indexOf(undefined as never);
    const origin = originOf(source, spelled);
    if (gap >= 0) problems.push(`${key}: has no item ${gap}, but later ones (${origin})`);
    else if (wholes.has(name)) problems.push(`${key}: is given as a whole and by items (${origin})`);
    else values.push({ key, spelled, text: items });
  }
  return { values, problems };
}
