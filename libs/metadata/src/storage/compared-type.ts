/** Whether the type is `citext`, of whose values different texts are equal. */
export const isCaseless = (type = ''): boolean => /^(?:\w+\.)?citext$/.test(type);

/** Types whose values have an order, so that PostgreSQL compares them. */
const ORDERED =
  /^(?:interval|(?:int4|int8|num|ts|tstz|date)(?:multi)?range|inet|cidr|macaddr8?|bit(?: varying)?|money|pg_lsn|(?:\w+\.)?citext)\b/;

/**
 * The PostgreSQL type in which the text forms of a column's type are compared: the type itself without its limits,
 * `text` where it has no order or where that is not known.
 */
export function comparedTypeOf(type: string): string {
  if (!ORDERED.test(type) || type.endsWith(']')) return 'text';
  // `bit` alone is of length 1, and a cast would cut the value.
  if (/^bit\b/.test(type)) return 'bit varying';
  return /^interval\b/.test(type) ? 'interval' : type;
}
