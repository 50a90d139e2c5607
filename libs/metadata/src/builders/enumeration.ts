import type { Enumeration } from '../entities/enumeration.ts';

/** An enum with the names of its constants in its type. */
export interface EnumDefinition<N extends string = string> extends Enumeration {
  /** The constants, in the order of the definition. */
  readonly values: readonly { readonly name: N; readonly id: string | number }[];
}

/**
 * Defines an enum.
 *
 * @param name fully qualified name, e.g. `sales.OrderStatus`
 * @param constants constant name → stored id; ids are all texts or all integers
 * @throws TypeError when ids are of mixed types or not unique
 */
export function enumeration<const C extends Readonly<Record<string, string | number>>>(
  name: string,
  constants: C,
): EnumDefinition<keyof C & string> {
  const values = Object.entries(constants).map(([constant, id]) => Object.freeze({ name: constant, id }));
  const types = new Set(values.map((value) => typeof value.id));
  if (types.size > 1) throw new TypeError(`Enum ${name} mixes text and integer ids`);
  if (new Set(values.map((value) => value.id)).size < values.length)
    throw new TypeError(`Enum ${name} has two constants with one id`);
  return Object.freeze({
    name,
    idType: types.has('number') ? ('int' as const) : ('string' as const),
    values: Object.freeze(values) as EnumDefinition<keyof C & string>['values'],
  });
}
