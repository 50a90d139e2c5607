import { suggestion as nearest } from '@lintel/errors';
import type { Setting, SettingMap } from '../declaring/setting.ts';
import { normalKey } from '../key-names.ts';

/** Keys are long: more of their letters would make a key of another service the nearest one. */
const MAX_CHANGES = 3;

/** The nearest known key, of this service or of others, if it differs from the unknown one by only a few characters. */
export const suggestion = (
  key: string,
  entries: readonly (Setting<unknown> | SettingMap<unknown>)[],
  knownKeys: readonly string[],
): string =>
  nearest(
    key,
    [
      ...entries.map((entry) => (entry.kind === 'map' ? entry.prefix : entry.name)),
      ...knownKeys.map((name) => name.replace(/\.\*$/, '')),
    ],
    { form: normalKey, maxChanges: MAX_CHANGES },
  );
