import { suggestion as nearest } from '@lintel/errors';
import { flattenSettings } from '../declaring/define-settings.ts';
import type { Setting, SettingMap, SettingsShape } from '../declaring/setting.ts';
import { takesList } from '../declaring/values.ts';
import { hasPropertyPrefix, normalKey, restAfter } from '../key-names.ts';
import { originOf, type PropertySource } from '../sources/property-source.ts';
import type { SettingSources } from '../sources/sources.ts';
import { type CollectedValue, collectLists } from './collect-lists.ts';
import { adviceOfFormer } from './former-keys.ts';
import { MapReader } from './map-reader.ts';

/** The value that was found for one property, and its source. */
export interface FoundText {
  /** The text, or the items of a list that were given one by one. */
  readonly text: string | readonly string[];
  /** Key as it was spelled. */
  readonly key: string;
  readonly source: PropertySource;
  /** The file from which the text was read, if the key names one. */
  readonly secretFile?: string;
}

/** Texts by property, not judged yet. */
export interface GatheredSettings {
  readonly found: ReadonlyMap<Setting<unknown>, FoundText>;
  readonly maps: ReadonlyMap<SettingMap<unknown>, MapReader>;
  /** Keys that belong to no setting, or to several. */
  readonly problems: readonly string[];
}

type Entry = Setting<unknown> | SettingMap<unknown>;

interface Target {
  readonly setting: Setting<unknown>;
  readonly fromFile: boolean;
}

/** Finds the texts of the properties of a shape; later sources override earlier ones. */
export function gatherSettings(shape: SettingsShape, sources: SettingSources): GatheredSettings {
  const entries = flattenSettings(shape);
  const texts = new Map<Setting<unknown>, FoundText>();
  const maps = new Map<SettingMap<unknown>, MapReader>();
  for (const entry of entries)
    if (entry.kind === 'map') maps.set(entry, new MapReader(entry, sources.mapKeys?.[entry.prefix]));
  const problems = [...(sources.problems ?? [])];
  const targets = byNormalKey(entries);
  const ofApplication = new Map<Setting<unknown>, readonly string[]>();
  const isKnownElsewhere = knownKeyTest(sources.knownKeys ?? []);

  function read(source: PropertySource): void {
    const { values, problems: ofLists } = collectLists(source, (key) => isList(key, source.kind));
    problems.push(...ofLists);
    for (const value of values) {
      const { key, spelled } = value;
      if (!hasPropertyPrefix(key)) {
        judgeForeignKey(value, source);
        continue;
      }
      const target = targets.get(normalKey(key));
      if (target !== undefined) readSetting(target, value, source);
      else if (!readMapKey(value, source) && !isKnownElsewhere(key)) {
        const advice = adviceOfFormer(key);
        const hint = advice === undefined ? suggestion(key, entries, sources.knownKeys ?? []) : `: ${advice}`;
        problems.push(`${spelled}: no such property${hint} (${originOf(source, spelled)})`);
      }
    }
  }

  /** Other keys are for placeholders; one with nearly the name of a property is a mistake. */
  function judgeForeignKey({ key, spelled }: CollectedValue, source: PropertySource): void {
    if (source.kind !== 'application') return;
    const hint = suggestion(key, entries, sources.knownKeys ?? []);
    if (hint !== '') problems.push(`${spelled}: no such property${hint} (${originOf(source, spelled)})`);
  }

  function isList(key: string, kind: PropertySource['kind']): boolean {
    const target = targets.get(normalKey(key));
    if (target !== undefined) return takesList(target.setting.schema);
    return mapOf(key)?.takesList(key, kind) ?? false;
  }

  function readSetting({ setting, fromFile }: Target, value: CollectedValue, source: PropertySource): void {
    const found = textOf(fromFile, value, source);
    if (found === undefined) return;
    const earlier = texts.get(setting);
    if (earlier?.source === source && String(earlier.text) !== String(found.text))
      problems.push(
        `${setting.name}: ${earlier.key} and ${found.key} are the same key with different values (${originOf(source, found.key)})`,
      );
    texts.set(setting, withItemsOfApplication(setting, found));
  }

  function withItemsOfApplication(setting: Setting<unknown>, found: FoundText): FoundText {
    if (!setting.joinsApplication) return found;
    if (found.source.kind === 'application') {
      ofApplication.set(setting, itemsOf(found.text));
      return found;
    }
    const items = [...(ofApplication.get(setting) ?? []), ...itemsOf(found.text)];
    return { ...found, text: [...new Set(items)] };
  }

  /** Returns whether the key belongs to one of the maps. */
  function readMapKey(value: CollectedValue, source: PropertySource): boolean {
    const { key, spelled } = value;
    const reader = mapOf(key);
    if (reader === undefined) return false;
    const location = reader.locate(restAfter(reader.map.prefix, key) ?? '', source.kind);
    if (typeof location === 'string') {
      const advice = adviceOfFormer(key);
      const problem = advice === undefined ? location : `no such property: ${advice}`;
      problems.push(`${spelled}: ${problem} (${originOf(source, spelled)})`);
      return true;
    }
    const found = textOf(location.fromFile, value, source);
    if (found !== undefined) reader.put(location, found);
    return true;
  }

  /** The map with the longest prefix. */
  function mapOf(key: string): MapReader | undefined {
    return [...maps.values()]
      .filter((reader) => restAfter(reader.map.prefix, key) !== undefined)
      .sort((left, right) => right.map.prefix.length - left.map.prefix.length)[0];
  }

  function textOf(fromFile: boolean, { spelled, text }: CollectedValue, source: PropertySource): FoundText | undefined {
    if (!fromFile) return { text, key: spelled, source };
    const path = String(text);
    try {
      return { text: sources.readSecretFile(path), key: spelled, source, secretFile: path };
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      problems.push(`${spelled}: ${path} cannot be read (${why}) (${originOf(source, spelled)})`);
      return undefined;
    }
  }

  for (const source of sources.sources) read(source);
  return { found: texts, maps, problems };
}

const itemsOf = (text: FoundText['text']): readonly string[] =>
  (typeof text === 'string' ? text.split(',') : text).map((item) => item.trim()).filter((item) => item !== '');

function byNormalKey(entries: readonly Entry[]): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>();
  const settings = entries.filter((entry) => entry.kind === 'setting');
  const add = (suffix: string, fromFile: boolean, setting: Setting<unknown>): void => {
    targets.set(normalKey(setting.name + suffix), { setting, fromFile });
  };
  for (const setting of settings) if (setting.secret) add('-file', true, setting);
  for (const setting of settings) add('', false, setting);
  return targets;
}

/** Known keys of others: exact names, names of secrets with `-file`, and maps written `svc.prefix.*`. */
function knownKeyTest(known: readonly string[]): (key: string) => boolean {
  const exact = new Set(known.flatMap((name) => [normalKey(name), normalKey(`${name}-file`)]));
  const prefixes = known.filter((name) => name.endsWith('.*')).map((name) => name.slice(0, -2));
  // Which of these keys are lists is unknown here: every key that looks like an item of a list is accepted.
  const whole = (key: string): string => key.replace(/\[\d+\]$|_\d+_?$/, '');
  return (key) =>
    exact.has(normalKey(key)) ||
    exact.has(normalKey(whole(key))) ||
    prefixes.some((prefix) => restAfter(prefix, key) !== undefined);
}

/** Keys are long: more of their letters would make a key of another service the nearest one. */
const MAX_CHANGES = 3;

/** The nearest known key, of this service or of others, if it differs from the unknown one by only a few characters. */
const suggestion = (
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
