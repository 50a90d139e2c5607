import { distance as distanceOf } from 'fastest-levenshtein';
import type { Setting, SettingMap } from '../declaring/setting.ts';
import { normalKey } from '../key-names.ts';

/** Maximum of edits for a suggestion. */
const MAX_DISTANCE = 3;

/** The nearest known key, of this service or of others, if it differs from the unknown one by only a few characters. */
export function suggestion(
  key: string,
  entries: readonly (Setting<unknown> | SettingMap<unknown>)[],
  knownKeys: readonly string[],
): string {
  const wanted = normalKey(key);
  const names = [
    ...entries.map((entry) => (entry.kind === 'map' ? entry.prefix : entry.name)),
    ...knownKeys.map((name) => name.replace(/\.\*$/, '')),
  ];
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = distanceOf(wanted, normalKey(name));
    if (distance <= MAX_DISTANCE && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best === undefined ? '' : `; did you mean ${best.name}?`;
}
