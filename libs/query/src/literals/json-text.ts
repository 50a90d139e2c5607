import { type ExactJson, ExactNumber } from '../json/exact-json.ts';

/** Maximum nesting of a value of a JSON attribute: bodies are nested up to 200 levels, and the instance is in one. */
export const MAX_JSON_VALUE_DEPTH = 100;

/** Numbers that `numeric` of PostgreSQL holds with every digit. */
const NUMBER = /^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,3})?$/;

/**
 * The text of a JSON value for a `jsonb` parameter, the members of objects in the order of their names, so that equal
 * values have equal texts. A member named `toJSON` is a member as any other.
 *
 * @returns undefined for a value that PostgreSQL cannot store: nested too deeply, a number out of range, a text with
 *   the character zero or half a surrogate pair
 */
export function jsonText(value: ExactJson, depth = 0): string | undefined {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return isStorable(value) ? JSON.stringify(value) : undefined;
  if (value instanceof ExactNumber) return NUMBER.test(value.text) ? value.text : undefined;
  if (depth >= MAX_JSON_VALUE_DEPTH) return undefined;
  if (Array.isArray(value)) {
    const items = (value as readonly ExactJson[]).map((item) => jsonText(item, depth + 1));
    return items.includes(undefined) ? undefined : `[${items.join(',')}]`;
  }
  const members = Object.entries(value as Readonly<Record<string, ExactJson>>)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => {
      const text = jsonText(member, depth + 1);
      return text === undefined || !isStorable(name) ? undefined : `${JSON.stringify(name)}:${text}`;
    });
  return members.includes(undefined) ? undefined : `{${members.join(',')}}`;
}

const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

/** An exact JSON value as application code sees the values of JSON attributes: numbers are numbers. */
export function plainJson(value: unknown): unknown {
  if (value instanceof ExactNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(plainJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainJson(member)]));
}
