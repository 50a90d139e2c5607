import { quoteIdentifier } from '@lintel/metadata';

const isText = (type: string): boolean => /^(character varying|text|character)\b/.test(type);

/** Texts are one type here, with a length or without one. */
const baseOf = (type: string): string => type.replace(/\(.*\)/, '').replace(/^text$/, 'character varying');

/**
 * The actions that change the type of a column and change it back. The values are converted, not dropped; the collation
 * stays.
 *
 * @param types as PostgreSQL prints them
 * @param stored the definition of the column
 */
export function retypeColumn(
  name: string,
  types: { readonly expected?: string; readonly actual?: string },
  stored: string,
): { readonly up: string; readonly down: string } {
  const { expected = '', actual = '' } = types;
  const collation = / COLLATE (?:"[^"]+"|\w+)\.(?:"[^"]+"|\w+)/.exec(stored)?.[0] ?? '';
  const type = (to: string, from: string): string => {
    // Between lengths the assignment cast refuses values that do not fit; an explicit cast would truncate them.
    const using = baseOf(to) === baseOf(from) ? '' : ` USING ${quoteIdentifier(name)}::${to}`;
    return `TYPE ${to}${isText(to) ? collation : ''}${using}`;
  };
  return { up: type(expected, actual), down: type(actual, expected) };
}
