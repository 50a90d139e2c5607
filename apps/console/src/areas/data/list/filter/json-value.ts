/** The JSON types that a condition compares with. */
export type JsonType = 'boolean' | 'number' | 'text';

export const JSON_TYPES: readonly JsonType[] = ['text', 'number', 'boolean'];

/** The JSON type of the value of a condition, or of the first of its values; a text where there is none. */
export function jsonTypeOf(value: unknown): JsonType {
  const [first = value] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  return typeof first === 'number' ? 'number' : typeof first === 'boolean' ? 'boolean' : 'text';
}

/** The value, or values, in a JSON type; what cannot be one of the type stays as it is. */
export function toJsonType(value: unknown, type: JsonType): unknown {
  if (Array.isArray(value)) return value.map((each) => toJsonType(each, type));
  if (value === undefined || value === null || value === '') return value;
  const text = String(value).trim();
  if (type === 'number') return Number.isFinite(Number(text)) && text !== '' ? Number(text) : value;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : value;
  return String(value);
}

/** Whether the value, and each of its values, is of a JSON type. */
export const isOfJsonType = (value: unknown, type: JsonType): boolean =>
  (Array.isArray(value) ? (value as readonly unknown[]) : [value]).every((each) => jsonTypeOf(each) === type);
