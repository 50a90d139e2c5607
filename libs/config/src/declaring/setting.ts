import type { z } from 'zod';

export interface SettingOptions {
  /** Its value is never written to errors or the reference page; `<NAME>_FILE` may name a file with the value. */
  readonly secret?: boolean;
  /** Whether the list of the application stays when other sources have one: the items of both count. */
  readonly joinsApplication?: boolean;
}

/** One property: its schema receives the text, or undefined if no source has the property. */
export interface Setting<T> {
  readonly kind: 'setting';
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly description: string;
  readonly secret: boolean;
  readonly joinsApplication: boolean;
}

export interface SettingMapOptions {
  /** Members of an object schema that are secrets (`client-secret`). */
  readonly secretMembers?: readonly string[];
  /** Purposes of single members that the description of the map does not explain. */
  readonly memberDescriptions?: Readonly<Record<string, string>>;
}

/**
 * Properties `<prefix>.<key>`, or `<prefix>.<key>.<member>` where the schema is an object: a map from
 * key to value.
 */
export interface SettingMap<T> {
  readonly kind: 'map';
  readonly prefix: string;
  readonly schema: z.ZodType<T>;
  readonly description: string;
  readonly secretMembers: readonly string[];
  readonly memberDescriptions: Readonly<Record<string, string>>;
}

/** Declares one property. The schema decides which text is accepted, how it is converted, and the default. */
export const setting = <T>(
  name: string,
  schema: z.ZodType<T>,
  description: string,
  options: SettingOptions = {},
): Setting<T> =>
  Object.freeze({
    kind: 'setting',
    name,
    schema,
    description,
    secret: options.secret ?? false,
    joinsApplication: options.joinsApplication ?? false,
  });

/** Declares a map of properties with a common prefix. */
export const settingMap = <T>(
  prefix: string,
  schema: z.ZodType<T>,
  description: string,
  options: SettingMapOptions = {},
): SettingMap<T> =>
  Object.freeze({
    kind: 'map',
    prefix,
    schema,
    description,
    secretMembers: options.secretMembers ?? [],
    memberDescriptions: options.memberDescriptions ?? {},
  });

/**
 * Settings by the name that code uses; groups may nest. A number is a constant: it has no property, and only a test
 * that changes the loaded settings has another value.
 */
export interface SettingsShape {
  readonly [name: string]: ShapeEntry;
}

type ShapeEntry = Setting<unknown> | SettingMap<unknown> | SettingsShape | number;

/** Returns the problems of a group of settings. */
export interface GroupFindings {
  readonly problems?: readonly string[];
  /** Required settings without a value, one message each, by `missingText`. */
  readonly missing?: readonly string[];
}

/** Checks a group whose members are valid by themselves. */
export type GroupRule = (config: Readonly<Record<string, unknown>>) => GroupFindings;

const RULE = Symbol('rule');

/** A group whose members must be consistent. The rule belongs to the group, also if the group is nested. */
export const ruledSettings = <const S extends SettingsShape>(
  shape: S,
  rule: (config: SettingsOf<S>) => GroupFindings,
): S => Object.freeze({ ...shape, [RULE]: rule });

/** The rule of a group, if it has one. */
export const ruleOf = (shape: SettingsShape & { readonly [RULE]?: GroupRule }): GroupRule | undefined => shape[RULE];

/** The loaded form of a shape: plain, deeply frozen values. */
export type SettingsOf<S> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T>
    ? T
    : S[K] extends SettingMap<infer T>
      ? Readonly<Record<string, T>>
      : S[K] extends number
        ? number
        : SettingsOf<S[K]>;
};

export const isSetting = (value: ShapeEntry): value is Setting<unknown> =>
  typeof value === 'object' && value['kind'] === 'setting' && typeof value['name'] === 'string';

export const isSettingMap = (value: ShapeEntry): value is SettingMap<unknown> =>
  typeof value === 'object' && value['kind'] === 'map' && typeof value['prefix'] === 'string';
