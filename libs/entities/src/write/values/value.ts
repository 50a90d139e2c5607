/**
 * Values of instances inside the write pipeline, in one canonical form per datatype, so that two equal values are equal
 * texts: sent and stored values can be compared.
 *
 * texts, uuids, enum constants (by name): string · boolean · short, int, float, double: number ·
 * long, bigInteger, decimal: exact decimal text in plain notation · localDate `YYYY-MM-DD` ·
 * dateTime, localDateTime `YYYY-MM-DDTHH:mm:ss.SSS` · offsetDateTime the same in UTC with `Z` ·
 * localTime `HH:mm:ss`, offsetTime the same with `±HH:mm` · byteArray Base64 ·
 * json: its text, the members of objects in the order of their names.
 */
export type Scalar = string | number | boolean | null;

/** The key of an instance: its parts in the order of the key columns. */
export type Key = readonly Scalar[];

/** A reference to one instance. */
export interface Reference {
  readonly key: Key;
}

/** The value of one attribute path: `number`, `address.city`, `customer`, `tags`. */
export type Value = Scalar | Reference | readonly Scalar[] | readonly Reference[];

/** The values of an instance by attribute path; embedded attributes are flattened. */
export type Values = ReadonlyMap<string, Value>;

export const isReference = (value: Value | undefined): value is Reference =>
  typeof value === 'object' && value !== null && 'key' in value;

/** A text that is equal for equal keys. */
export const keyText = (key: Key): string => {
  const [only] = key;
  // No text of a list begins with a quotation mark.
  return key.length === 1 && typeof only === 'string' ? `"${only}` : JSON.stringify(key);
};
