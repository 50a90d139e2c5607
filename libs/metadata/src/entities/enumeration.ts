/** One constant of an enum. */
export interface EnumValue {
  /** Constant name; the form used in JSON, filters and parameters. */
  readonly name: string;
  /** Stored value, and `id` in the metadata. */
  readonly id: string | number;
}

/** An enum of the model. */
export interface Enumeration {
  /** Fully qualified name, e.g. `sales.OrderStatus`. */
  readonly name: string;
  /** Type of the stored ids. */
  readonly idType: 'string' | 'int';
  /** The constants, in the order of the definition. */
  readonly values: readonly EnumValue[];
}

/** The constant with that name, if there is one. */
export const enumValueByName = (enumeration: Enumeration, name: string): EnumValue | undefined =>
  enumeration.values.find((value) => value.name === name);
