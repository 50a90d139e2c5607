import type { Setting, SettingMap } from '../declaring/setting.ts';
import { normalKey } from '../key-names.ts';

/** Slips of more characters are other words. */
const MAX_DISTANCE = 3;

/** The nearest known key, of this service or of others, when a slip of a few characters explains the unknown one. */
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
    const distance = editDistance(wanted, normalKey(name));
    if (distance <= MAX_DISTANCE && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best === undefined ? '' : `; did you mean ${best.name}?`;
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const change = left[row - 1] === right[column - 1] ? 0 : 1;
      current.push(
        Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (previous[column - 1] ?? 0) + change),
      );
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
