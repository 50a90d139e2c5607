import type { z } from 'zod';
import { ConfigurationError } from './configuration-error.ts';
import { flattenSettings } from './define-settings.ts';
import { environmentName, hasPropertyPrefix, normalKey, restAfter } from './key-names.ts';
import { type MapEntry, MapReader } from './map-reader.ts';
import {
  isSetting,
  isSettingMap,
  type Setting,
  type SettingMap,
  type SettingsOf,
  type SettingsShape,
} from './setting.ts';
import type { PropertySource, SettingSources } from './sources.ts';

/** The text found for one property, and where. */
export interface FoundText {
  readonly text: string;
  /** Key as it was spelled. */
  readonly key: string;
  readonly source: PropertySource;
}

/**
 * Reads a shape from the sources; later sources win. The result is deeply frozen.
 *
 * @throws ConfigurationError listing every unknown key, ambiguous key and bad value together
 */
export function loadSettings<const S extends SettingsShape>(shape: S, sources: SettingSources): SettingsOf<S> {
  const problems: string[] = [];
  const entries = flattenSettings(shape);
  const found = new Map<Setting<unknown>, FoundText>();
  const maps = new Map<SettingMap<unknown>, MapReader>();
  for (const entry of entries)
    if (entry.kind === 'map') maps.set(entry, new MapReader(entry, sources.mapKeys?.[entry.prefix]));
  const lookUp = byNormalKey(entries);
  const isKnownElsewhere = knownKeyTest(sources.knownKeys ?? []);

  for (const source of sources.sources) {
    for (const [key, value] of Object.entries(source.values)) {
      if (!hasPropertyPrefix(key)) continue;
      const target = lookUp.get(normalKey(key));
      if (target !== undefined) {
        const text = target.fromFile ? readSecret(sources, key, value, problems) : value;
        if (text === undefined) continue;
        const earlier = found.get(target.setting);
        if (earlier?.source === source && earlier.text !== text)
          problems.push(
            `${target.setting.name}: ${earlier.key} and ${key} are the same key with different values (${source.label})`,
          );
        found.set(target.setting, { text, key, source });
      } else if (!readMapKey(maps, key, value, source, sources, problems)) {
        if (source.kind !== 'application' && !isKnownElsewhere(key))
          problems.push(`${key}: no such property${suggestion(key, entries)} (${source.label})`);
      }
    }
  }

  const result = build(shape, found, maps, problems);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return result as SettingsOf<S>;
}

interface Target {
  readonly setting: Setting<unknown>;
  readonly fromFile: boolean;
}

function byNormalKey(entries: readonly (Setting<unknown> | SettingMap<unknown>)[]): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>();
  for (const entry of entries)
    if (entry.kind === 'setting' && entry.secret)
      targets.set(normalKey(`${entry.name}-file`), { setting: entry, fromFile: true });
  for (const entry of entries)
    if (entry.kind === 'setting') targets.set(normalKey(entry.name), { setting: entry, fromFile: false });
  return targets;
}

/** Known keys of others: exact names, names of secrets with `-file`, and maps written `svc.prefix.*`. */
function knownKeyTest(known: readonly string[]): (key: string) => boolean {
  const exact = new Set(known.flatMap((name) => [normalKey(name), normalKey(`${name}-file`)]));
  const prefixes = known.filter((name) => name.endsWith('.*')).map((name) => name.slice(0, -2));
  return (key) => exact.has(normalKey(key)) || prefixes.some((prefix) => restAfter(prefix, key) !== undefined);
}

function readSecret(sources: SettingSources, key: string, path: string, problems: string[]): string | undefined {
  try {
    return sources.readSecretFile(path);
  } catch (cause) {
    problems.push(`${key}: ${path} cannot be read (${cause instanceof Error ? cause.message : String(cause)})`);
    return undefined;
  }
}

/** Answers whether the key belongs to one of the maps; the longest prefix wins. */
function readMapKey(
  maps: ReadonlyMap<SettingMap<unknown>, MapReader>,
  key: string,
  value: string,
  source: PropertySource,
  sources: SettingSources,
  problems: string[],
): boolean {
  const candidates = [...maps.values()]
    .filter((reader) => restAfter(reader.map.prefix, key) !== undefined)
    .sort((left, right) => right.map.prefix.length - left.map.prefix.length);
  const reader = candidates[0];
  if (reader === undefined) return false;
  const place = reader.locate(restAfter(reader.map.prefix, key) ?? '', source.kind);
  if (typeof place === 'string') {
    problems.push(`${key}: ${place} (${source.label})`);
    return true;
  }
  const text = place.fromFile ? readSecret(sources, key, value, problems) : value;
  if (text !== undefined) reader.put(place, { text, key, source });
  return true;
}

function build(
  shape: SettingsShape,
  found: ReadonlyMap<Setting<unknown>, FoundText>,
  maps: ReadonlyMap<SettingMap<unknown>, MapReader>,
  problems: string[],
): Readonly<Record<string, unknown>> {
  const result: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(shape)) {
    if (isSetting(entry)) result[name] = readSetting(entry, found.get(entry), problems);
    else if (isSettingMap(entry)) result[name] = readMap(entry, maps.get(entry)?.entries() ?? [], problems);
    else result[name] = build(entry, found, maps, problems);
  }
  return Object.freeze(result);
}

function readSetting(entry: Setting<unknown>, text: FoundText | undefined, problems: string[]): unknown {
  const parsed = entry.schema.safeParse(text?.text);
  if (parsed.success) return freezeDeep(parsed.data);
  problems.push(
    text === undefined
      ? `${entry.name} (${environmentName(entry.name)}): is required${descriptionOf(entry.schema)}`
      : `${entry.name}: ${messagesOf(parsed.error)}, got ${entry.secret ? 'a secret that is not shown' : JSON.stringify(text.text)} (${text.source.label}: ${text.key})`,
  );
  return undefined;
}

function readMap(
  entry: SettingMap<unknown>,
  found: readonly MapEntry[],
  problems: string[],
): Readonly<Record<string, unknown>> {
  const result: Record<string, unknown> = {};
  for (const { name, input } of found) {
    const parsed = entry.schema.safeParse(input);
    if (parsed.success) result[name] = freezeDeep(parsed.data);
    else
      for (const issue of parsed.error.issues) {
        const key = [entry.prefix, name, ...issue.path.map(String)].join('.');
        problems.push(`${key}: ${issue.message}`);
      }
  }
  return Object.freeze(result);
}

const messagesOf = (error: z.ZodError): string => error.issues.map((issue) => issue.message).join('; ');

const descriptionOf = (schema: z.ZodType): string =>
  schema.description === undefined ? '' : `, expected ${schema.description}`;

/** The nearest known key, when a slip of a few characters explains the unknown one. */
function suggestion(key: string, entries: readonly (Setting<unknown> | SettingMap<unknown>)[]): string {
  const wanted = normalKey(key);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const entry of entries) {
    const name = entry.kind === 'map' ? entry.prefix : entry.name;
    const distance = editDistance(wanted, normalKey(name));
    if (distance <= 3 && (best === undefined || distance < best.distance)) best = { name, distance };
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

function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const member of Object.values(value)) freezeDeep(member);
    Object.freeze(value);
  }
  return value;
}
