import { hasPropertyPrefix, normalKey } from '../key-names.ts';
import { isSetting, isSettingMap, type Setting, type SettingMap, type SettingsShape } from './setting.ts';

/**
 * Declares the settings of a service.
 *
 * @throws Error if two settings have the same key or one lacks the prefix `svc.`: an error in our code
 */
export function defineSettings<const S extends SettingsShape>(shape: S): S {
  const seen = new Map<string, string>();
  for (const entry of flattenSettings(shape)) {
    const name = nameOf(entry);
    if (!hasPropertyPrefix(name)) throw new Error(`The setting ${name} does not begin with "svc."`);
    const known = seen.get(normalKey(name));
    if (known !== undefined) throw new Error(`The settings ${known} and ${name} are the same key`);
    seen.set(normalKey(name), name);
  }
  return Object.freeze(shape);
}

/** The name of a setting; of a map its prefix. */
const nameOf = (entry: Setting<unknown> | SettingMap<unknown>): string =>
  entry.kind === 'map' ? entry.prefix : entry.name;

/** All settings of a shape, in order of declaration; one that is in several groups once. */
export const flattenSettings = (shape: SettingsShape): readonly (Setting<unknown> | SettingMap<unknown>)[] => [
  ...new Set(entriesOf(shape)),
];

const entriesOf = (shape: SettingsShape): readonly (Setting<unknown> | SettingMap<unknown>)[] =>
  Object.values(shape).flatMap((entry) => {
    if (typeof entry === 'number') return [];
    return isSetting(entry) || isSettingMap(entry) ? [entry] : entriesOf(entry);
  });
