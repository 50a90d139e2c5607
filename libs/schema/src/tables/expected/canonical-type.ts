/** PostgreSQL's own spelling of the types of the storage map. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^varchar\b/, 'character varying'],
  [/^timestamptz(.*)$/, 'timestamp$1 with time zone'],
  [/^timestamp(\(\d\))?$/, 'timestamp$1 without time zone'],
  [/^timetz(.*)$/, 'time$1 with time zone'],
  [/^time(\(\d\))?$/, 'time$1 without time zone'],
];

/** A column's type as the database spells it: `varchar(20)` is `character varying(20)`, `integer[][]` is `integer[]`. */
export const canonicalType = (type: string): string =>
  type.endsWith('[]') ? `${spelled(type.replace(/(\[\])+$/, ''))}[]` : spelled(type);

const spelled = (type: string): string =>
  SPELLINGS.reduce((text, [pattern, spelling]) => (pattern.test(type) ? type.replace(pattern, spelling) : text), type);
