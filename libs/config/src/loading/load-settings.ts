import type { z } from 'zod';
import { ConfigurationError } from '../configuration-error.ts';
import { missingText } from '../declaring/missing-text.ts';
import {
  isSetting,
  isSettingMap,
  ruleOf,
  type Setting,
  type SettingMap,
  type SettingsOf,
  type SettingsShape,
} from '../declaring/setting.ts';
import { originOf } from '../sources/property-source.ts';
import type { SettingSources } from '../sources/sources.ts';
import { type FoundText, type GatheredSettings, gatherSettings } from './gather-settings.ts';
import type { MapEntry } from './map-reader.ts';
import { maskPasswords } from './mask.ts';

/** A shape as far as it could be read. */
export interface JudgedSettings<S> {
  /** Undefined members are among the problems. */
  readonly config: SettingsOf<S>;
  readonly gathered: GatheredSettings;
  /** Unknown, ambiguous and bad values. */
  readonly problems: readonly string[];
  /** Required settings without a value. */
  readonly missing: readonly string[];
}

/**
 * Reads a shape from the sources; later sources win. The result is deeply frozen.
 *
 * @throws ConfigurationError listing every unknown key, ambiguous key and bad value together
 */
export function loadSettings<const S extends SettingsShape>(shape: S, sources: SettingSources): SettingsOf<S> {
  const { config, problems, missing } = judgeSettings(shape, sources);
  if (problems.length + missing.length > 0) throw new ConfigurationError([...problems, ...missing]);
  return config;
}

/** Reads a shape and collects what is wrong. */
export function judgeSettings<const S extends SettingsShape>(shape: S, sources: SettingSources): JudgedSettings<S> {
  const gathered = gatherSettings(shape, sources);
  const problems = [...gathered.problems];
  const missing: string[] = [];

  function build(part: SettingsShape): Readonly<Record<string, unknown>> {
    const result: Record<string, unknown> = {};
    const before = problems.length + missing.length;
    for (const [name, entry] of Object.entries(part)) {
      if (typeof entry === 'number') result[name] = entry;
      else if (isSetting(entry)) result[name] = readSetting(entry);
      else if (isSettingMap(entry)) result[name] = readMap(entry);
      else result[name] = build(entry);
    }
    // The rule compares members, so it runs only if all of them are valid.
    const rule = problems.length + missing.length === before ? ruleOf(part) : undefined;
    const found = rule?.(result);
    problems.push(...(found?.problems ?? []));
    missing.push(...(found?.missing ?? []));
    return Object.freeze(result);
  }

  function readSetting(entry: Setting<unknown>): unknown {
    const found = gathered.found.get(entry);
    const parsed = entry.schema.safeParse(found?.text);
    if (parsed.success) return freezeDeep(parsed.data);
    if (found === undefined) missing.push(missingText(entry));
    else problems.push(`${entry.name}: ${messagesOf(parsed.error)}, ${givenIn(found, entry.secret)}`);
    return undefined;
  }

  function readMap(entry: SettingMap<unknown>): Readonly<Record<string, unknown>> {
    const result: Record<string, unknown> = {};
    for (const found of gathered.maps.get(entry)?.entries() ?? []) {
      const parsed = entry.schema.safeParse(found.input);
      if (parsed.success) result[found.name] = freezeDeep(parsed.data);
      else for (const issue of parsed.error.issues) problems.push(problemOf(entry, found, issue));
    }
    return Object.freeze(result);
  }

  return { config: build(shape) as SettingsOf<S>, gathered, problems, missing };
}

function problemOf(entry: SettingMap<unknown>, { name, found }: MapEntry, issue: z.core.$ZodIssue): string {
  const key = [entry.prefix, name, ...issue.path.map(String)].join('.');
  if (!(found instanceof Map)) return `${key}: ${issue.message}, ${givenIn(found, false)}`;
  const member = String(issue.path[0] ?? '');
  const text = found.get(member);
  if (text !== undefined) return `${key}: ${issue.message}, ${givenIn(text, entry.secretMembers.includes(member))}`;
  const [other] = [...found.values()].map(({ source, key: spelled }) => originOf(source, spelled));
  return `${key}: ${issue.code === 'custom' ? issue.message : 'is required'} (${other})`;
}

/** `got "70000" (environment: SVC_GATEWAY_PORT)`: the given value, unless it is a secret, and its source. */
function givenIn({ text, key, source, secretFile }: FoundText, isSecret: boolean): string {
  const quoted =
    isSecret || source.isSecret === true || secretFile !== undefined
      ? 'a secret that is not shown'
      : maskPasswords(JSON.stringify(text));
  return `got ${quoted} (${originOf(source, key)}: ${key})`;
}

const messagesOf = (error: z.ZodError): string => error.issues.map((issue) => issue.message).join('; ');

function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const member of Object.values(value)) freezeDeep(member);
    Object.freeze(value);
  }
  return value;
}
