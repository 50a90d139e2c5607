/** The type of a parameter or result, as the API describes it. */
export type ValueType =
  /** `entity`: the values are ids of this entity. */
  | { readonly kind: 'datatype'; readonly type: string; readonly entity?: string }
  | { readonly kind: 'enum' | 'entity'; readonly type: string }
  | { readonly kind: 'list'; readonly item: ValueType }
  | { readonly kind: 'record'; readonly members: readonly NamedType[] }
  | { readonly kind: 'object' | 'any' | 'void' };

/** A parameter, or a member of an object. */
export interface NamedType {
  readonly name: string;
  readonly required: boolean;
  readonly valueType: ValueType;
}

/** What the user has entered: texts, ids, arrays and objects of them. It can be a part of an address. */
export type Entered = Readonly<Record<string, unknown>>;

/** Whether nothing was entered. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/**
 * The value of a type as the API takes it; undefined for nothing. Numbers stay texts with all their digits, and objects
 * texts of JSON: the server reads both.
 */
function sentValue(type: ValueType, entered: unknown): unknown {
  if (isEmpty(entered)) return undefined;
  switch (type.kind) {
    case 'datatype':
      return type.type === 'boolean' ? String(entered) === 'true' : entered;
    case 'entity':
      return { id: entered };
    case 'list':
      return asArray(entered)
        .map((item) => sentValue(type.item, item))
        .filter((item) => item !== undefined);
    case 'record':
      return sentValues(type.members, entered as Entered);
    case 'any':
      return parsedOrText(String(entered));
    case 'enum':
    case 'object':
    case 'void':
      return entered;
    default:
      return type satisfies never;
  }
}

/** The parameters that were entered; an empty list only where the parameter is required. */
export function sentValues(types: readonly NamedType[], entered: Entered): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    types.flatMap(({ name, required, valueType }): [string, unknown][] => {
      const value = sentValue(valueType, entered[name]);
      if (value !== undefined) return [[name, value]];
      return required && valueType.kind === 'list' ? [[name, []]] : [];
    }),
  );
}

/** The required parameters without a value. */
export const missingOf = (types: readonly NamedType[], entered: Entered): readonly string[] =>
  types
    .filter(({ name, required, valueType }) => required && valueType.kind !== 'list' && isEmpty(entered[name]))
    .map(({ name }) => name);

const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the text itself is the value.
    return text;
  }
}
