import type { Key, Scalar } from '@lintel/query';

export type { Key, Scalar };

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
