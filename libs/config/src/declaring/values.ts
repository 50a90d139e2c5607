import { z } from 'zod';
import { normalKey } from '../key-names.ts';

/** Schemas that turn a property's text into a value. Each describes itself for errors and the reference. */

/** The kind of a property's text, if its parsed value alone does not determine it. */
type ValueType = 'list' | 'duration' | 'size';

const expected = <T>(what: string, parse: (text: string) => T | undefined, valueType?: ValueType) =>
  z
    .string()
    .transform((text, context) => {
      const value = parse(text.trim());
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message: `expected ${what}` });
      return z.NEVER;
    })
    .meta({ description: what, valueType });

/** A list: its text is split, or its items were given one by one (`name[0]`). Items are trimmed. */
const expectedList = <T>(
  what: string,
  separator: RegExp,
  parse: (items: readonly string[]) => readonly T[] | undefined,
) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((given, context) => {
      const items = (typeof given === 'string' ? given.split(separator) : given)
        .map((item) => item.trim())
        .filter((item) => item !== '');
      const value = parse(items);
      if (value !== undefined) return Object.freeze(value);
      context.addIssue({ code: 'custom', message: `expected ${what}` });
      return z.NEVER;
    })
    .meta({ description: what, valueType: 'list' });

/** Whether a property takes a list, so that its items may be given one by one. */
export const takesList = (schema: z.ZodType): boolean => valueTypeOf(schema) === 'list';

/** The type of the schema, or of the one inside `default` and `optional`. Limits and descriptions do not change it. */
function valueTypeOf(schema: z.ZodType): unknown {
  let current: unknown = schema;
  while (current instanceof z.ZodType) {
    const valueType = current.meta()?.['valueType'];
    if (valueType !== undefined) return valueType;
    current = 'unwrap' in current && typeof current.unwrap === 'function' ? current.unwrap() : undefined;
  }
  return undefined;
}

const COMMA = /,/;

/** A whole number in a range. */
export const integerValue = (range: { readonly min?: number; readonly max?: number } = {}) => {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = range;
  const what =
    range.min === undefined && range.max === undefined
      ? 'a whole number'
      : range.max === undefined
        ? `a whole number, at least ${min}`
        : `a whole number from ${min} to ${max}`;
  return expected(what, (text) => {
    const value = Number(text);
    return /^[+-]?\d+$/.test(text) && value >= min && value <= max ? value : undefined;
  });
};

/** A TCP port; 0 lets the system choose. */
export const portValue = () => integerValue({ min: 0, max: 65535 });

/** `true` or `false`, also `on/off`, `yes/no`, `1/0`. */
export const booleanValue = () =>
  expected('true or false', (text) => {
    if (/^(true|on|yes|1)$/i.test(text)) return true;
    if (/^(false|off|no|0)$/i.test(text)) return false;
    return undefined;
  });

/** Items between commas, trimmed; empty text is an empty list. */
export const listValue = () => expectedList('a list with commas', COMMA, (items) => items);

/** Roles of the groups of an identity provider: in `sales=sales-manager` the text after the last `=` is the role. */
export const roleTableValue = () =>
  listValue()
    .refine((items) => items.every((item) => /^.+=[^=]+$/.test(item)), 'expected items such as group=role')
    .describe('a list of `group=role`; the group `*` stands for everybody')
    .default([]);

/** Items between spaces or commas: names of resources (`svc.rest.queries-config`). */
export const resourceListValue = () => expectedList('resource names with spaces or commas', /[\s,]+/, (items) => items);

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * A duration (`500ms`, `30s`, `12h`, `365d`, ISO `PT30S`, `PT0.5S`, `P1DT2H`; a bare number is seconds) in
 * milliseconds.
 */
export const durationMsValue = () => expected('a duration such as 500ms, 30s, 12h or 365d', textToMs, 'duration');

function textToMs(text: string): number | undefined {
  const simple = /^\+?(\d+)\s*(ms|s|m|h|d)?$/i.exec(text);
  if (simple !== null) return Number(simple[1]) * (UNITS_MS[(simple[2] ?? 's').toLowerCase()] ?? 1_000);
  const iso = /^P(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,9})?)S)?)?$/i.exec(text);
  if (iso === null || iso.slice(1).every((part) => part === undefined)) return undefined;
  const [days, hours, minutes, seconds] = iso.slice(1).map((part) => Number(part ?? 0));
  const wholeMinutes = ((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0);
  return wholeMinutes * 60_000 + Math.round((seconds ?? 0) * 1_000);
}

const UNITS_BYTES: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3, tb: 1024 ** 4 };

/** A size (`512`, `64KB`, `10MB`, `5GB`, `1TB`) in bytes. */
export const sizeBytesValue = () => expected('a size such as 64KB, 10MB or 5GB', textToBytes, 'size');

function textToBytes(text: string): number | undefined {
  const match = /^(\d+)\s*(b|kb|mb|gb|tb)?$/i.exec(text);
  return match === null ? undefined : Number(match[1]) * (UNITS_BYTES[(match[2] ?? 'b').toLowerCase()] ?? 1);
}

/** An absolute URL without a trailing slash; `http` and `https` by default. */
export const urlValue = (protocols: readonly string[] = ['http:', 'https:']) =>
  expected(`a URL (${protocols.join(', ')})`, (text) =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text.replace(/\/+$/, '') : undefined,
  );

/** A URL of PostgreSQL as its driver reads it; several hosts are allowed, so that it may be none of the WHATWG. */
export const postgresUrlValue = () =>
  expected('a URL (postgres:, postgresql:)', (text) => (/^postgres(?:ql)?:\/\/./i.test(text) ? text : undefined));

/** One or more absolute URLs between commas, each without a trailing slash. */
export const urlListValue = (protocols: readonly string[] = ['http:', 'https:']) =>
  expectedList(`URLs with commas (${protocols.join(', ')})`, COMMA, (urls) => {
    const isUrl = (url: string) => URL.canParse(url) && protocols.includes(new URL(url).protocol);
    return urls.length > 0 && urls.every(isUrl) ? urls.map((url) => url.replace(/\/+$/, '')) : undefined;
  });

/** A host and a port. */
export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

/** Nodes of one server between commas, each with its port: `redis-1:6379, 10.0.0.2:6379, [fd00::3]:6379`. */
export const nodeListValue = () =>
  expectedList('nodes as host:port with commas', COMMA, (nodes): readonly NodeAddress[] | undefined => {
    const addresses = nodes.flatMap((node) => nodeAddress(node) ?? []);
    return addresses.length > 0 && addresses.length === nodes.length ? addresses : undefined;
  });

function nodeAddress(text: string): NodeAddress | undefined {
  const [, ip, name, digits] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = ip ?? name;
  const port = Number(digits);
  return host === undefined || port < 1 || port > 65_535 ? undefined : Object.freeze({ host, port });
}

/** A URL path: begins with `/`, does not end with one, is not blank (contract/configuration.md#configuration). */
export const pathValue = () =>
  expected('a path that begins with "/" and does not end with it', (text) =>
    /^(\/[^/\s?#]+)+$/.test(text) ? text : undefined,
  );

/** Any text that is not blank. */
export const textValue = () => expected('a text', (text) => (text === '' ? undefined : text));

/** One of the given words, without regard to case, `-` and `_`. */
export const choiceValue = <const T extends string>(choices: readonly T[]) =>
  expected(`one of ${choices.join(', ')}`, (text) => choiceIn(choices, text));

const choiceIn = <T extends string>(choices: readonly T[], text: string): T | undefined =>
  choices.find((choice) => normalKey(choice) === normalKey(text));

/** A list of the given words, separated by commas, each at most once, in significant order; empty text is no word. */
export const choiceListValue = <const T extends string>(choices: readonly T[]) =>
  expectedList(`some of ${choices.join(', ')}, with commas`, COMMA, (items): readonly T[] | undefined => {
    const chosen = items.flatMap((item) => choiceIn(choices, item) ?? []);
    return chosen.length === items.length && new Set(chosen).size === chosen.length ? chosen : undefined;
  });

/** A limit for a period of time; the limit is `Infinity` if it is off. */
export interface RateValue {
  readonly limit: number;
  readonly windowSeconds: number;
}

const MAX_WINDOW_SECONDS = 86_400;

const NO_RATE: RateValue = Object.freeze({ limit: Number.POSITIVE_INFINITY, windowSeconds: 1 });

/** A rate: `600/1m`, `10/1s`, `5000/1h`; the time is a day at most. `off`: none. */
export const rateValue = () =>
  expected('a rate such as 10/1s, 600/1m or 5000/1h, or off', (text): RateValue | undefined => {
    if (text.toLowerCase() === 'off') return NO_RATE;
    const [, limit, count, unit] = /^([1-9]\d{0,8})\s*\/\s*(\d{0,5})\s*([smhd])$/i.exec(text) ?? [];
    if (limit === undefined || unit === undefined) return undefined;
    const windowSeconds = (Number(count || 1) * (UNITS_MS[unit.toLowerCase()] ?? 0)) / 1_000;
    return windowSeconds >= 1 && windowSeconds <= MAX_WINDOW_SECONDS
      ? Object.freeze({ limit: Number(limit), windowSeconds })
      : undefined;
  });

/** Converts a parsed value back to a text that the schema accepts, for the reference page. */
export function textOfValue(value: unknown, schema: z.ZodType): string {
  if (typeof value === 'number') {
    const valueType = valueTypeOf(schema);
    if (valueType === 'duration') return withUnit(value, UNITS_MS, 'ms');
    if (valueType === 'size') return withUnit(value, UNITS_BYTES, 'b').toUpperCase();
  }
  if (isRate(value)) return value.limit === Number.POSITIVE_INFINITY ? 'off' : textOfRate(value);
  return Array.isArray(value) ? value.join(',') : String(value);
}

const isRate = (value: unknown): value is RateValue =>
  typeof value === 'object' && value !== null && 'limit' in value && 'windowSeconds' in value;

const textOfRate = ({ limit, windowSeconds }: RateValue): string =>
  `${limit}/${withUnit(windowSeconds * 1_000, UNITS_MS, 'ms')}`;

/** With the largest unit that leaves no fraction. */
function withUnit(value: number, units: Readonly<Record<string, number>>, smallest: string): string {
  let best = smallest;
  for (const [unit, size] of Object.entries(units)) if (value >= size && value % size === 0) best = unit;
  return `${value / (units[best] ?? 1)}${best}`;
}
