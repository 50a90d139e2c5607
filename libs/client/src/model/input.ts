/** A decimal with all its digits: `'10.50'`. */
export type Decimal = `${number}`;

/** A 64-bit integer with all its digits: `'9007199254740993'`. */
export type Long = `${bigint}`;

/** What may be sent for a value of a response: numbers for decimals and for 64-bit integers, too. */
export type Operand<V> = V extends Decimal | Long ? V | number | bigint : V;

/** What may be sent for an instance of a response, at every level. */
export type Input<T> = T extends Decimal | Long
  ? T | number | bigint
  : T extends readonly (infer Item)[]
    ? readonly Input<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Input<T[K]> }
      : T;
