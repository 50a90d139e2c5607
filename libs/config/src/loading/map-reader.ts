import { suggestion } from '@lintel/errors';
import type { z } from 'zod';
import type { SettingMap } from '../declaring/setting.ts';
import { takesList } from '../declaring/values.ts';
import { normalKey, restAfter } from '../key-names.ts';
import type { PropertySource } from '../sources/property-source.ts';
import type { FoundText } from './gather-settings.ts';

/** The entry, and its member, to which a key of a map belongs. */
export interface MapLocation {
  /** Key of the entry. */
  readonly name: string;
  /** Member of an object entry; undefined if entries are plain values. */
  readonly member: string | undefined;
  /** The value names a file that holds the secret. */
  readonly fromFile: boolean;
}

export interface MapEntry {
  readonly name: string;
  /** The input of the map's schema. */
  readonly input: unknown;
  /** The text with its source; of objects, one for each member. */
  readonly found: FoundText | Map<string, FoundText>;
}

/**
 * Collects the entries of one map. Keys are matched without regard to `_`, `-`, `.` and case, against
 * the known names when there are any; a match that is not unique is a problem (style guide, Config).
 */
export class MapReader {
  readonly map: SettingMap<unknown>;
  readonly #members: ReadonlyMap<string, { readonly member: string; readonly fromFile: boolean }> | undefined;
  readonly #knownNames: readonly string[] | undefined;
  /** Names seen so far, by normal form. */
  readonly #names = new Map<string, string>();
  readonly #texts = new Map<string, FoundText | Map<string, FoundText>>();

  constructor(map: SettingMap<unknown>, knownNames: readonly string[] | undefined) {
    this.map = map;
    this.#members = membersOf(map);
    this.#knownNames = knownNames;
  }

  /** The entry and member for the part of a key after the map's prefix, or a sentence with the reason for none. */
  locate(rest: string, kind: PropertySource['kind']): MapLocation | string {
    if (this.#members === undefined) {
      const name = this.#nameOf(rest, kind);
      return typeof name === 'object' ? name.problem : { name, member: undefined, fromFile: false };
    }
    const candidates = this.#splits(rest, kind);
    if (candidates.length === 0)
      return `ends in no known member of ${this.map.prefix}.<name> (${this.memberNames().join(', ')})`;
    const preferred = candidates.filter((candidate) => this.#isKnown(candidate.rawName));
    const choice = preferred.length > 0 ? preferred : candidates;
    const [first] = choice;
    if (choice.length > 1 || first === undefined)
      return `is ambiguous: ${choice.map(({ rawName, member }) => `${this.map.prefix}.${rawName}.${member}`).join(' or ')}`;
    const name = this.#nameOf(first.rawName, kind);
    return typeof name === 'object' ? name.problem : { name, member: first.member, fromFile: first.fromFile };
  }

  put(location: MapLocation, found: FoundText): void {
    if (location.member === undefined) {
      this.#texts.set(location.name, found);
      return;
    }
    const entry = this.#texts.get(location.name);
    const members = entry instanceof Map ? entry : new Map<string, FoundText>();
    members.set(location.member, found);
    this.#texts.set(location.name, members);
  }

  entries(): readonly MapEntry[] {
    return [...this.#texts].map(([name, texts]) => ({
      name,
      found: texts,
      input:
        texts instanceof Map
          ? Object.fromEntries([...texts].map(([member, found]) => [member, found.text]))
          : texts.text,
    }));
  }

  /** Whether the value for a key of this map, without the number of an item, is a list. */
  takesList(key: string, kind: PropertySource['kind']): boolean {
    if (this.#members === undefined) return takesList(this.map.schema);
    const shape = 'shape' in this.map.schema ? (this.map.schema.shape as Readonly<Record<string, z.ZodType>>) : {};
    return this.#splits(restAfter(this.map.prefix, key) ?? '', kind).some(({ member }) => {
      const schema = shape[member];
      return schema !== undefined && takesList(schema);
    });
  }

  memberNames(): readonly string[] {
    return [...(this.#members?.values() ?? [])].filter(({ fromFile }) => !fromFile).map(({ member }) => member);
  }

  #splits(rest: string, kind: PropertySource['kind']) {
    const candidates: { readonly rawName: string; readonly member: string; readonly fromFile: boolean }[] = [];
    // A file writes `<name>.<member>`: the last dot decides, so that `a-b.client-id` cannot be read otherwise.
    const dot = rest.lastIndexOf('.');
    const positions =
      kind !== 'environment' && dot > 0
        ? [dot]
        : [...rest.matchAll(/[._-]/g)].map((match) => match.index).filter((index) => index > 0);
    for (const position of positions) {
      const member = this.#members?.get(normalKey(rest.slice(position + 1)));
      if (member !== undefined) candidates.push({ rawName: rest.slice(0, position), ...member });
    }
    return candidates;
  }

  #isKnown(rawName: string): boolean {
    const normal = normalKey(rawName);
    return this.#names.has(normal) || (this.#knownNames ?? []).some((name) => normalKey(name) === normal);
  }

  #nameOf(rawName: string, kind: PropertySource['kind']): string | { readonly problem: string } {
    const normal = normalKey(rawName);
    if (this.#knownNames !== undefined) {
      const exact = this.#knownNames.find((name) => name === rawName);
      const matches = exact === undefined ? this.#knownNames.filter((name) => normalKey(name) === normal) : [exact];
      if (matches.length > 1) return { problem: `is ambiguous: ${matches.join(' or ')}` };
      if (matches[0] === undefined)
        return { problem: `"${rawName}" is no known name${suggestion(rawName, this.#knownNames)}` };
      return matches[0];
    }
    const seen = this.#names.get(normal);
    if (seen !== undefined) return seen;
    const name = kind === 'environment' ? rawName.toLowerCase() : rawName;
    this.#names.set(normal, name);
    return name;
  }
}

function membersOf(map: SettingMap<unknown>) {
  const shape: unknown = 'shape' in map.schema ? map.schema.shape : undefined;
  if (typeof shape !== 'object' || shape === null) return undefined;
  const members = new Map<string, { readonly member: string; readonly fromFile: boolean }>();
  for (const member of map.secretMembers) members.set(normalKey(`${member}file`), { member, fromFile: true });
  for (const member of Object.keys(shape)) members.set(normalKey(member), { member, fromFile: false });
  return members;
}
